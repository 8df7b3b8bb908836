@fragment
fn shade(@location(0) normal: vec3<f32>) -> @location(0) vec4<f32> {
    return vec4<f32>(normalize(normal) * 0.5 + 0.5, 1.0);
}
