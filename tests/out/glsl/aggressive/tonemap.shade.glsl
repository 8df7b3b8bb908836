#version 450

layout(set = 0, binding = 0, std140) uniform Grade {
    float exposure;
    float saturation;
    float vignette;
} grade;

layout(set = 0, binding = 1) uniform sampler2D hdr;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 color = texture(hdr, uv).xyz;
    float exp2_exposure = exp2(grade.exposure);
    vec3 color_1 = color * exp2_exposure;
    float luma = dot(color, vec3(0.2126, 0.7152, 0.0722)) * exp2_exposure;
    color_1 = mix(vec3(luma), color_1, grade.saturation);
    vec3 greatest = max(color_1, 0.0);
    color_1 = clamp(greatest * (2.51 * greatest + 0.03)
        / (greatest * (2.43 * greatest + 0.59) + 0.14), 0.0, 1.0)
        * (1.0 - smoothstep(0.4, 1.6, distance(uv * 2.0, vec2(1.0))) * grade.vignette);
    vec3 low = color_1 * 12.92;
    vec3 high = pow(color_1, vec3(0.41666666)) * 1.055 - 0.055;
    out_color = vec4(mix(low, high, lessThan(vec3(0.0031308), color_1)), 1.0);
}
