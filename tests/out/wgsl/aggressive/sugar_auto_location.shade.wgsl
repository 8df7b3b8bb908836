struct ShadeOutput {
    @location(0) color: vec4<f32>,
    @location(2) layers: vec4<i32>,
}

@fragment
fn shade(@location(0) uv: vec2<f32>, @location(1) tint: vec4<f32>,
    @location(5) @interpolate(flat) layer: i32, @location(6) weight: f32) -> ShadeOutput {
    return ShadeOutput(vec4<f32>(uv, weight, tint.y), vec4<i32>(layer, -3, 0, 1));
}
