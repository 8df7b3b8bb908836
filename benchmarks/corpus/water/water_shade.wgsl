// A water surface: the sky mirrors in it by Fresnel's law.

const WAVES = 4;

struct Wave {
    direction: vec2<f32>,
    steepness: f32,
    wavelength: f32,
}

struct Frame {
    view_proj: mat4x4<f32>,
    eye: vec3<f32>,
    time: f32,
}

struct Water {
    waves: array<Wave, WAVES>,
    deep: vec3<f32>,
    shallow: vec3<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> water: Water;
@group(0) @binding(2) var sky: texture_cube<f32>;
@group(0) @binding(3) var sky_samp: sampler;

@fragment
fn shade(
    @location(0) world: vec3<f32>, @location(1) normal: vec3<f32>
) -> @location(0) vec4<f32> {
    let n = normalize(normal);
    let view = normalize(frame.eye - world);
    let facing = clamp(dot(n, view), 0.0, 1.0);
    let fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    let mirrored = textureSample(sky, sky_samp, reflect(-view, n)).rgb;
    let body = mix(water.shallow, water.deep, facing);
    return vec4(mix(body, mirrored, fresnel), 1.0);
}
