#version 450

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in uint in_face;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec3 normal;
layout(location = 2) flat out uint face;

void main() {
    gl_Position = in_position;
    uv = in_position.xy * 0.5 + 0.5;
    normal = in_normal;
    face = in_face * 2u;
}
