#version 450

layout(location = 0) in vec2 offset;
layout(location = 1) in float shade;
layout(location = 0) out vec2 uv;
layout(location = 1) out float level;

void main() {
    vec2 corner = vec2(float((gl_VertexIndex << 1) & 2), float(gl_VertexIndex & 2));
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
    uv = corner + offset;
    level = shade;
}
