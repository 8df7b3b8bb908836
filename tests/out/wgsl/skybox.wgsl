struct Camera {
    inverse_view_proj: mat4x4<f32>,
    fog: vec3<f32>,
    density: f32,
}

struct EncloseOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) direction: vec3<f32>,
}

@group(0) @binding(0) var<uniform> camera: Camera;
@group(0) @binding(1) var sky_tex: texture_cube<f32>;
@group(0) @binding(2) var sky_samp: sampler;

@vertex
fn enclose(@builtin(vertex_index) vertex_index: u32) -> EncloseOutput {
    let index = i32(vertex_index);
    let corner = vec2<f32>(f32((index << 1u) & 2), f32(index & 2)) * 2.0 - 1.0;
    let far = camera.inverse_view_proj * vec4<f32>(corner, 1.0, 1.0);
    return EncloseOutput(vec4<f32>(corner, 1.0, 1.0), far.xyz / far.w);
}

@fragment
fn shade(@location(0) direction: vec3<f32>) -> @location(0) vec4<f32> {
    let direction_1 = normalize(direction);
    let fog = exp(-camera.density * max(direction_1.y, 0.0));
    return vec4<f32>(mix(textureSample(sky_tex, sky_samp, direction_1).xyz, camera.fog, fog), 1.0);
}
