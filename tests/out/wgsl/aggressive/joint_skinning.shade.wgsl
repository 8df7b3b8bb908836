struct ShadeOutput {
    @location(0) world: vec4<f32>,
    @location(1) normal: vec4<f32>,
}

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>) -> ShadeOutput {
    return ShadeOutput(vec4<f32>(world, 1.0), vec4<f32>(normalize(normal), 0.0));
}
