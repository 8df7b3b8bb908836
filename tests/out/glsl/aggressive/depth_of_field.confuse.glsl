#version 450

layout(binding = 0, std140) uniform Lens {
    vec2 texel;
    float focal_length;
    float aperture;
    float focus;
    float max_radius;
    float near;
    float far;
} lens;

layout(binding = 1) uniform sampler2D colors;
layout(binding = 3) uniform sampler2D depths;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    float depth = lens.near * lens.far / mix(lens.far, lens.near, texture(depths, uv).x);
    float f = lens.focal_length;
    float blur = lens.aperture * f * (depth - lens.focus) / (depth * (lens.focus - f));
    color = vec4(texture(colors, uv).xyz, clamp(blur, -1.0, 1.0) * lens.max_radius);
}
