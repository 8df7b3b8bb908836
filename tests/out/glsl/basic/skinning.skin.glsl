#version 450

layout(binding = 0, std140) uniform Frame {
    mat4 projection;
    mat4 view;
    mat4 model;
} frame;

layout(binding = 1, std140) uniform Pose {
    mat4 bones[64];
} pose;

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 3) in uvec4 in_joints;
layout(location = 4) in vec4 in_weights;
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec2 uv;

void main() {
    mat4 blended = pose.bones[in_joints.x] * in_weights.x + pose.bones[in_joints.y] * in_weights.y
        + pose.bones[in_joints.z] * in_weights.z + pose.bones[in_joints.w] * in_weights.w;
    mat4 to_world = frame.model * blended;
    vec4 world_1 = to_world * vec4(in_position, 1.0);
    gl_Position = frame.projection * frame.view * world_1;
    world = world_1.xyz;
    normal = normalize(in_normal
        * inverse(mat3(to_world[0].xyz, to_world[1].xyz, to_world[2].xyz)));
    uv = in_uv;
}
