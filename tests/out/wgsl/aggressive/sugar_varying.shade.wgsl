@fragment
fn shade(@location(0) uv: vec2<f32>, @location(1) normal: vec3<f32>,
    @location(2) @interpolate(flat) face: u32) -> @location(0) vec4<f32> {
    let facing = normalize(normal).z;
    return vec4<f32>(uv, facing, f32(face));
}
