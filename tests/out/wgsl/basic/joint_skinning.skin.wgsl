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

fn blend(indices: vec4<u32>, weights: vec4<f32>) -> mat4x4<f32> {
    var m = joints[frame.first_joint + indices.x] * weights.x;
    m += joints[frame.first_joint + indices.y] * weights.y;
    m += joints[frame.first_joint + indices.z] * weights.z;
    return m + joints[frame.first_joint + indices.w] * weights.w;
}

@vertex
fn skin(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) joints_1: vec4<u32>, @location(3) weights: vec4<f32>) -> SkinOutput {
    let m = blend(joints_1, weights / dot(weights, vec4<f32>(1.0)));
    let world = m * vec4<f32>(position, 1.0);
    return SkinOutput(frame.view_proj * world, world.xyz,
        mat3x3<f32>(m[0].xyz, m[1].xyz, m[2].xyz) * normal);
}
