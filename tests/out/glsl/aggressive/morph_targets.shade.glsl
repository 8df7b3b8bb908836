#version 450

layout(location = 0) in vec3 normal;
layout(location = 0) out vec4 color;

void main() {
    color = vec4(normalize(normal) * 0.5 + 0.5, 1.0);
}
