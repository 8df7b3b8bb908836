struct TransformOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) @interpolate(flat) face: u32,
}

@vertex
fn transform(@location(0) position: vec4<f32>, @location(1) normal: vec3<f32>,
    @location(2) face: u32) -> TransformOutput {
    return TransformOutput(position, position.xy * 0.5 + 0.5, normal, face * 2u);
}
