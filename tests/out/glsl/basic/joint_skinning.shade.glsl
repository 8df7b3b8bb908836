#version 450

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 out_world;
layout(location = 1) out vec4 out_normal;

void main() {
    out_world = vec4(world, 1.0);
    out_normal = vec4(normalize(normal), 0.0);
}
