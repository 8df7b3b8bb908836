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

@vertex
fn enclose(@builtin(vertex_index) vertex_index: u32) -> EncloseOutput {
    let index = i32(vertex_index);
    let corner = vec2<f32>(f32((index << 1u) & 2), f32(index & 2)) * 2.0 - 1.0;
    let value = vec4<f32>(corner, 1.0, 1.0);
    let far = camera.inverse_view_proj * value;
    return EncloseOutput(value, far.xyz / far.w);
}
