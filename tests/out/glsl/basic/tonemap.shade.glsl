#version 450

layout(binding = 0, std140) uniform Grade {
    float exposure;
    float saturation;
    float vignette;
} grade;

layout(binding = 1) uniform sampler2D hdr;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

vec3 aces(vec3 x) {
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

vec3 linear_to_srgb(vec3 color) {
    vec3 low = color * 12.92;
    vec3 high = pow(color, vec3(0.41666666)) * 1.055 - 0.055;
    return mix(high, low, step(color, vec3(0.0031308)));
}

void main() {
    vec3 color = texture(hdr, uv).xyz;
    color *= exp2(grade.exposure);
    float luma = dot(color, vec3(0.2126, 0.7152, 0.0722));
    color = mix(vec3(luma), color, grade.saturation);
    color = aces(max(color, 0.0));
    vec2 centered = uv * 2.0 - 1.0;
    color *= 1.0 - smoothstep(0.4, 1.6, length(centered)) * grade.vignette;
    out_color = vec4(linear_to_srgb(color), 1.0);
}
