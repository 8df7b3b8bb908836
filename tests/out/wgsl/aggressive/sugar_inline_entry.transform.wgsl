struct TransformOutput {
    @builtin(position) place: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) level: f32,
}

@vertex
fn transform(@builtin(vertex_index) vertex_index: u32, @location(0) offset: vec2<f32>,
    @location(1) shade: f32) -> TransformOutput {
    let index = i32(vertex_index);
    let corner = vec2<f32>(f32((index << 1u) & 2), f32(index & 2));
    return TransformOutput(vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0), corner + offset, shade);
}
