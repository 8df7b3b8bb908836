#version 450

layout(location = 0) in vec3 in_position;
layout(location = 4) in vec4 in_tint;
layout(location = 5) in vec2 in_uv;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 tint;
layout(location = 5) flat out int layer;
layout(location = 6) out float weight;

void main() {
    uv = in_uv;
    gl_Position = vec4(in_position, 1.0);
    tint = in_tint * 0.5;
    layer = int(in_tint.w * 8.0);
    weight = in_position.x - in_position.y;
}
