#version 450

layout(set = 1, binding = 0, std140) uniform Grade {
    float exposure;
    float saturation;
    vec3 lift;
} grade;

layout(binding = 0) uniform texture2D hdr;
layout(binding = 1) uniform sampler nearest;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec3 light = texture(sampler2D(hdr, nearest), uv).xyz * exp2(grade.exposure);
    float grey = dot(light, vec3(0.2126, 0.7152, 0.0722));
    vec3 graded = max(mix(vec3(grey), light, grade.saturation) + grade.lift, 0.0);
    vec3 value = clamp(graded * (2.51 * graded + 0.03) / (graded * (2.43 * graded + 0.59) + 0.14),
        0.0, 1.0);
    vec3 low = value * 12.92;
    vec3 high = 1.055 * pow(value, vec3(0.41666666)) - 0.055;
    color = vec4(mix(high, low, lessThanEqual(value, vec3(0.0031308))), grey);
}
