#version 450

layout(binding = 0, std140) uniform Frame {
    mat4 view_proj;
    uint first_joint;
} frame;

layout(binding = 1, std430) readonly buffer Joints {
    mat4 joints[];
};

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in uvec4 in_joints;
layout(location = 3) in vec4 in_weights;
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;

mat4 blend(uvec4 indices, vec4 weights) {
    mat4 m = joints[frame.first_joint + indices.x] * weights.x;
    m += joints[frame.first_joint + indices.y] * weights.y;
    m += joints[frame.first_joint + indices.z] * weights.z;
    return m + joints[frame.first_joint + indices.w] * weights.w;
}

void main() {
    mat4 m = blend(in_joints, in_weights / dot(in_weights, vec4(1.0)));
    vec4 world_1 = m * vec4(in_position, 1.0);
    gl_Position = frame.view_proj * world_1;
    world = world_1.xyz;
    normal = mat3(m[0].xyz, m[1].xyz, m[2].xyz) * in_normal;
}
