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

float linear_depth(float depth) {
    return lens.near * lens.far / (lens.far - depth * (lens.far - lens.near));
}

float circle_of_confusion(float distance_) {
    float f = lens.focal_length;
    float blur = lens.aperture * f * (distance_ - lens.focus) / (distance_ * (lens.focus - f));
    return clamp(blur, -1.0, 1.0) * lens.max_radius;
}

void main() {
    float depth = linear_depth(texture(depths, uv).x);
    color = vec4(texture(colors, uv).xyz, circle_of_confusion(depth));
}
