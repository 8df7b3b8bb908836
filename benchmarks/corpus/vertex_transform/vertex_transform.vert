#version 450
// What most vertex shaders do: projection, view and model, the normal matrix, fog by distance.

layout(set = 0, binding = 0, std140) uniform Frame {
    mat4 projection;
    mat4 view;
    mat4 model;
    float fog_density;
} frame;

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;

layout(location = 0) out vec3 out_world;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec2 out_uv;
layout(location = 3) out float out_fog;

void main() {
    vec4 world = frame.model * vec4(position, 1.0);
    vec4 eye = frame.view * frame.model * vec4(position, 1.0);
    mat3 normal_matrix = transpose(inverse(mat3(frame.model)));
    float reach = length(eye.xyz);
    gl_Position = frame.projection * frame.view * frame.model * vec4(position, 1.0);
    out_world = world.xyz;
    out_normal = normalize(normal_matrix * normal);
    out_uv = uv;
    out_fog = clamp(exp(-pow(reach * frame.fog_density, 2.0)), 0.0, 1.0);
}
