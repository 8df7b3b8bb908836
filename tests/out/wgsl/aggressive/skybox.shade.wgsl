struct Camera {
    inverse_view_proj: mat4x4<f32>,
    fog: vec3<f32>,
    density: f32,
}

@group(0) @binding(0) var<uniform> camera: Camera;
@group(0) @binding(1) var sky_tex: texture_cube<f32>;
@group(0) @binding(2) var sky_samp: sampler;

@fragment
fn shade(@location(0) direction: vec3<f32>) -> @location(0) vec4<f32> {
    let direction_1 = normalize(direction);
    let fog = exp(-camera.density * max(direction_1.y, 0.0));
    return vec4<f32>(mix(textureSample(sky_tex, sky_samp, direction_1).xyz, camera.fog, fog), 1.0);
}
