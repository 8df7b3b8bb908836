#version 450

layout(binding = 0, std140) uniform Uniforms {
    mat4 model;
    mat4 view_proj;
    mat4 normal_mat;
} uniforms;

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec3 normal;

void main() {
    vec4 world_pos = uniforms.model * vec4(in_position, 1.0);
    gl_Position = uniforms.view_proj * world_pos;
    uv = in_uv;
    normal = normalize((uniforms.normal_mat * vec4(in_normal, 0.0)).xyz);
}
