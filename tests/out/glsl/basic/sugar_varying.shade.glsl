#version 450

layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 normal;
layout(location = 2) flat in uint face;
layout(location = 0) out vec4 color;

void main() {
    float facing = normalize(normal).z;
    color = vec4(uv, facing, float(face));
}
