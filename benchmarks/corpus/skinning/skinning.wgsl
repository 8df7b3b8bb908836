// Linear blend skinning with four bones, then model, view, projection and the normal matrix.

const MAX_BONES = 64;

struct Frame {
    projection: mat4x4<f32>,
    view: mat4x4<f32>,
    model: mat4x4<f32>,
}

struct Pose {
    bones: array<mat4x4<f32>, MAX_BONES>,
}

struct VertexInput {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) joints: vec4<u32>,
    @location(4) weights: vec4<f32>,
}

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> pose: Pose;

fn upper3x3(m: mat4x4<f32>) -> mat3x3<f32> {
    return mat3x3(m[0].xyz, m[1].xyz, m[2].xyz);
}

// WGSL has no inverse: the adjugate over the determinant.
fn inverse(m: mat3x3<f32>) -> mat3x3<f32> {
    let a = cross(m[1], m[2]);
    let b = cross(m[2], m[0]);
    let c = cross(m[0], m[1]);
    return transpose(mat3x3(a, b, c)) * (1.0 / dot(m[0], a));
}

@vertex
fn skin(input: VertexInput) -> VertexOutput {
    let blended = pose.bones[input.joints.x] * input.weights.x
        + pose.bones[input.joints.y] * input.weights.y
        + pose.bones[input.joints.z] * input.weights.z
        + pose.bones[input.joints.w] * input.weights.w;
    let to_world = frame.model * blended;
    let world = to_world * vec4(input.position, 1.0);
    let normal_matrix = transpose(inverse(upper3x3(to_world)));
    var output: VertexOutput;
    output.position = frame.projection * frame.view * world;
    output.world = world.xyz;
    output.normal = normalize(normal_matrix * input.normal);
    output.uv = input.uv;
    return output;
}
