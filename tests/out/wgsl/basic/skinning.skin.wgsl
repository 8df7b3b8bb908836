struct Frame {
    projection: mat4x4<f32>,
    view: mat4x4<f32>,
    model: mat4x4<f32>,
}

struct Pose {
    bones: array<mat4x4<f32>, 64>,
}

struct SkinOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> pose: Pose;

fn inverse_mat3(m: mat3x3<f32>) -> mat3x3<f32> {
    let minor_12_12 = m[1].y * m[2].z - m[2].y * m[1].z;
    let minor_02_12 = m[0].y * m[2].z - m[2].y * m[0].z;
    let minor_01_12 = m[0].y * m[1].z - m[1].y * m[0].z;
    let determinant_m = m[0].x * minor_12_12 - m[1].x * minor_02_12 + m[2].x * minor_01_12;
    let minor_12_02 = m[1].x * m[2].z - m[2].x * m[1].z;
    let minor_02_02 = m[0].x * m[2].z - m[2].x * m[0].z;
    let minor_01_02 = m[0].x * m[1].z - m[1].x * m[0].z;
    let minor_12_01 = m[1].x * m[2].y - m[2].x * m[1].y;
    let minor_02_01 = m[0].x * m[2].y - m[2].x * m[0].y;
    let minor_01_01 = m[0].x * m[1].y - m[1].x * m[0].y;
    return mat3x3<f32>(vec3<f32>(minor_12_12, -minor_02_12, minor_01_12) / determinant_m,
        vec3<f32>(-minor_12_02, minor_02_02, -minor_01_02) / determinant_m,
        vec3<f32>(minor_12_01, -minor_02_01, minor_01_01) / determinant_m);
}

@vertex
fn skin(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>, @location(3) joints: vec4<u32>,
    @location(4) weights: vec4<f32>) -> SkinOutput {
    let blended = pose.bones[joints.x] * weights.x + pose.bones[joints.y] * weights.y
        + pose.bones[joints.z] * weights.z + pose.bones[joints.w] * weights.w;
    let to_world = frame.model * blended;
    let world = to_world * vec4<f32>(position, 1.0);
    return SkinOutput(frame.projection * frame.view * world, world.xyz,
        normalize(normal
            * inverse_mat3(mat3x3<f32>(to_world[0].xyz, to_world[1].xyz, to_world[2].xyz))), uv);
}
