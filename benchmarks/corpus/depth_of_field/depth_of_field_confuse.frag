#version 450
// Depth of field, first pass: the circle of confusion by a thin lens.

layout(set = 0, binding = 0, std140) uniform Lens {
    vec2 texel;
    float focal_length;
    float aperture;
    float focus;
    float max_radius;
    float near;
    float far;
} lens;

layout(set = 0, binding = 1) uniform texture2D colors;
layout(set = 0, binding = 2) uniform sampler colors_samp;
layout(set = 0, binding = 3) uniform texture2D depths;
layout(set = 0, binding = 4) uniform sampler depths_samp;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

float linear_depth(float depth) {
    return lens.near * lens.far / (lens.far - depth * (lens.far - lens.near));
}

// Signed radius in pixels: behind the plane of focus it is positive.
float circle_of_confusion(float distance_) {
    float f = lens.focal_length;
    float blur = lens.aperture * f * (distance_ - lens.focus) / (distance_ * (lens.focus - f));
    return clamp(blur, -1.0, 1.0) * lens.max_radius;
}

void main() {
    float depth = linear_depth(texture(sampler2D(depths, depths_samp), uv).r);
    vec3 sharp = texture(sampler2D(colors, colors_samp), uv).rgb;
    color = vec4(sharp, circle_of_confusion(depth));
}
