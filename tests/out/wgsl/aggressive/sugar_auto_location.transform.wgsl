struct TransformOutput {
    @location(0) uv: vec2<f32>,
    @builtin(position) position: vec4<f32>,
    @location(1) tint: vec4<f32>,
    @location(5) @interpolate(flat) layer: i32,
    @location(6) weight: f32,
}

@vertex
fn transform(@location(0) position: vec3<f32>, @location(4) tint: vec4<f32>,
    @location(5) uv: vec2<f32>) -> TransformOutput {
    return TransformOutput(uv, vec4<f32>(position, 1.0), tint * 0.5, i32(tint.w * 8.0),
        position.x - position.y);
}
