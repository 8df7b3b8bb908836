#version 450

layout(binding = 0, std140) uniform Frame {
    mat4 projection;
    mat4 view;
    mat4 model;
    float fog_density;
} frame;

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec2 uv;
layout(location = 3) out float fog;

void main() {
    vec4 value = vec4(in_position, 1.0);
    vec4 world_1 = frame.model * value;
    vec4 eye = frame.view * frame.model * value;
    float reach = length(eye.xyz);
    gl_Position = frame.projection * frame.view * frame.model * value;
    world = world_1.xyz;
    normal = normalize(in_normal
        * inverse(mat3(frame.model[0].xyz, frame.model[1].xyz, frame.model[2].xyz)));
    uv = in_uv;
    fog = clamp(exp(-pow(reach * frame.fog_density, 2.0)), 0.0, 1.0);
}
