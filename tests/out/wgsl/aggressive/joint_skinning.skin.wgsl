struct Frame {
    view_proj: mat4x4<f32>,
    first_joint: u32,
}

struct SkinOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> joints: array<mat4x4<f32>>;

@vertex
fn skin(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) joints_1: vec4<u32>, @location(3) weights: vec4<f32>) -> SkinOutput {
    let dot_weights_one = dot(weights, vec4<f32>(1.0));
    var m = joints[frame.first_joint + joints_1.x] * (weights.x / dot_weights_one);
    m += joints[frame.first_joint + joints_1.y] * (weights.y / dot_weights_one);
    m += joints[frame.first_joint + joints_1.z] * (weights.z / dot_weights_one);
    m += joints[frame.first_joint + joints_1.w] * (weights.w / dot_weights_one);
    let world = m * vec4<f32>(position, 1.0);
    return SkinOutput(frame.view_proj * world, world.xyz,
        mat3x3<f32>(m[0].xyz, m[1].xyz, m[2].xyz) * normal);
}
