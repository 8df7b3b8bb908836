struct Frame {
    view_proj: mat4x4<f32>,
    eye: vec3<f32>,
    time: f32,
}

struct Wave {
    direction: vec2<f32>,
    steepness: f32,
    wavelength: f32,
}

struct Water {
    waves: array<Wave, 4>,
    deep: vec3<f32>,
    shallow: vec3<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> water: Water;
@group(0) @binding(2) var sky_tex: texture_cube<f32>;
@group(0) @binding(3) var sky_samp: sampler;

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>) -> @location(0) vec4<f32> {
    let normal_1 = normalize(normal);
    let view = normalize(frame.eye - world);
    let facing = saturate(dot(normal_1, view));
    let one_minus_facing = 1.0 - facing;
    let one_minus_facing2 = one_minus_facing * one_minus_facing;
    let fresnel = 0.02 + 0.98 * (one_minus_facing2 * one_minus_facing2 * one_minus_facing);
    let mirrored = textureSample(sky_tex, sky_samp, reflect(-view, normal_1)).xyz;
    let body = mix(water.shallow, water.deep, facing);
    return vec4<f32>(mix(body, mirrored, fresnel), 1.0);
}
