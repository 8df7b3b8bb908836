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

@vertex
fn skin(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>, @location(3) joints: vec4<u32>,
    @location(4) weights: vec4<f32>) -> SkinOutput {
    let blended = pose.bones[joints.x] * weights.x + pose.bones[joints.y] * weights.y
        + pose.bones[joints.z] * weights.z + pose.bones[joints.w] * weights.w;
    let to_world = frame.model * blended;
    let world = to_world * vec4<f32>(position, 1.0);
    let value = cross(to_world[1].xyz, to_world[2].xyz);
    return SkinOutput(frame.projection * (frame.view * world), world.xyz,
        normalize(mat3x3<f32>(value, cross(to_world[2].xyz, to_world[0].xyz),
            cross(to_world[0].xyz, to_world[1].xyz)) * normal
            * (1.0 / dot(to_world[0].xyz, value))), uv);
}
