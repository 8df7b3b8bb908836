#version 450
// Linear blend skinning with four bones, then model, view, projection and the normal matrix.

const int MAX_BONES = 64;

layout(set = 0, binding = 0, std140) uniform Frame {
    mat4 projection;
    mat4 view;
    mat4 model;
} frame;

layout(set = 0, binding = 1, std140) uniform Pose {
    mat4 bones[MAX_BONES];
} pose;

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in uvec4 joints;
layout(location = 4) in vec4 weights;

layout(location = 0) out vec3 out_world;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec2 out_uv;

void main() {
    mat4 blended = pose.bones[joints.x] * weights.x
        + pose.bones[joints.y] * weights.y
        + pose.bones[joints.z] * weights.z
        + pose.bones[joints.w] * weights.w;
    mat4 to_world = frame.model * blended;
    vec4 world = to_world * vec4(position, 1.0);
    mat3 normal_matrix = transpose(inverse(mat3(to_world)));
    gl_Position = frame.projection * frame.view * world;
    out_world = world.xyz;
    out_normal = normalize(normal_matrix * normal);
    out_uv = uv;
}
