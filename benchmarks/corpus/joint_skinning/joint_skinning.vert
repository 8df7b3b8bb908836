#version 450
// Linear blend skinning with four joints a vertex, and the normal by the upper 3x3.

layout(set = 0, binding = 0, std140) uniform Frame {
    mat4 view_proj;
    uint first_joint;
} frame;

layout(set = 0, binding = 1, std430) readonly buffer Joints { mat4 joints[]; };

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in uvec4 indices;
layout(location = 3) in vec4 weights;

layout(location = 0) out vec3 out_world;
layout(location = 1) out vec3 out_normal;

mat4 blend(uvec4 indices, vec4 weights) {
    mat4 m = joints[frame.first_joint + indices.x] * weights.x;
    m += joints[frame.first_joint + indices.y] * weights.y;
    m += joints[frame.first_joint + indices.z] * weights.z;
    m += joints[frame.first_joint + indices.w] * weights.w;
    return m;
}

void main() {
    mat4 m = blend(indices, weights / dot(weights, vec4(1.0)));
    vec4 world = m * vec4(position, 1.0);
    gl_Position = frame.view_proj * world;
    out_world = world.xyz;
    out_normal = mat3(m) * normal;
}
