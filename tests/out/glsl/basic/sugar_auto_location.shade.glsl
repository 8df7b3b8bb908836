#version 450

layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 tint;
layout(location = 5) flat in int layer;
layout(location = 6) in float weight;
layout(location = 0) out vec4 color;
layout(location = 2) out ivec2 layers;

void main() {
    color = vec4(uv, weight, tint.y);
    layers = ivec2(layer, -3);
}
