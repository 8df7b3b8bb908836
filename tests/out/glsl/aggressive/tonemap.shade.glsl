#version 450

layout(binding = 0, std140) uniform Grade {
    float exposure;
    float saturation;
    float vignette;
} grade;

layout(binding = 1) uniform sampler2D hdr;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 color = texture(hdr, uv).xyz;
    color *= exp2(grade.exposure);
    float luma = dot(color, vec3(0.2126, 0.7152, 0.0722));
    color = mix(vec3(luma), color, grade.saturation);
    vec3 greatest = max(color, 0.0);
    color = clamp(greatest * (2.51 * greatest + 0.03)
        / (greatest * (2.43 * greatest + 0.59) + 0.14), 0.0, 1.0);
    color *= 1.0 - smoothstep(0.4, 1.6, distance(uv * 2.0, vec2(1.0))) * grade.vignette;
    vec3 low = color * 12.92;
    vec3 high = pow(color, vec3(0.41666666)) * 1.055 - 0.055;
    out_color = vec4(mix(low, high, lessThan(vec3(0.0031308), color)), 1.0);
}
