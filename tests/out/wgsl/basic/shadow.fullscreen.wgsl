struct FullscreenOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn fullscreen(@builtin(vertex_index) vertex_index: u32) -> FullscreenOutput {
    let index = i32(vertex_index);
    let corner = vec2<f32>(f32((index << 1u) & 2), f32(index & 2));
    return FullscreenOutput(vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0), corner);
}
