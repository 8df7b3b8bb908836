#version 450
// HDR image to display: exposure, a touch of saturation, ACES, the sRGB curve.

layout(set = 0, binding = 0) uniform texture2D hdr;
layout(set = 0, binding = 1) uniform sampler nearest;
layout(set = 1, binding = 0, std140) uniform Grade {
    float exposure;
    float saturation;
    vec3 lift;
} grade;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

vec3 aces_fit(vec3 x) {
    float a = 2.51;
    float b = 0.03;
    float c = 2.43;
    float d = 0.59;
    float e = 0.14;
    return clamp((x * (a * x + b)) / (x * (c * x + d) + e), 0.0, 1.0);
}

vec3 linear_to_srgb(vec3 color) {
    vec3 low = color * 12.92;
    vec3 high = 1.055 * pow(max(color, 0.0), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, lessThanEqual(color, vec3(0.0031308)));
}

void main() {
    vec3 light = texture(sampler2D(hdr, nearest), uv).rgb * exp2(grade.exposure);
    float grey = dot(light, vec3(0.2126, 0.7152, 0.0722));
    vec3 graded = max(mix(vec3(grey), light, grade.saturation) + grade.lift, 0.0);
    color = vec4(linear_to_srgb(aces_fit(graded)), grey);
}
