struct Uniforms {
    model: mat4x4<f32>,
    view_proj: mat4x4<f32>,
    normal_mat: mat4x4<f32>,
}

struct TransformOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) normal: vec3<f32>,
}

@group(0) @binding(0) var<uniform> uniforms: Uniforms;

@vertex
fn transform(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>) -> TransformOutput {
    let world_pos = uniforms.model * vec4<f32>(position, 1.0);
    return TransformOutput(uniforms.view_proj * world_pos, uv,
        normalize((uniforms.normal_mat * vec4<f32>(normal, 0.0)).xyz));
}
