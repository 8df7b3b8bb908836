#version 450
// Between colour spaces: sRGB to linear light, hue, saturation and value, and back.

layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std140) uniform Shift {
    int count;
    float hue;
    float saturation;
    float value;
} shift;

layout(set = 0, binding = 1, std430) buffer Colors { vec4 colors[]; };

vec3 srgb_to_linear(vec3 color) {
    vec3 low = color / 12.92;
    vec3 high = pow((color + 0.055) / 1.055, vec3(2.4));
    return mix(high, low, lessThanEqual(color, vec3(0.04045)));
}

vec3 linear_to_srgb(vec3 color) {
    vec3 low = color * 12.92;
    vec3 high = 1.055 * pow(max(color, 0.0), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, lessThanEqual(color, vec3(0.0031308)));
}

vec3 rgb_to_hsv(vec3 color) {
    float high = max(color.r, max(color.g, color.b));
    float low = min(color.r, min(color.g, color.b));
    float range = high - low;
    if (range == 0.0) {
        return vec3(0.0, 0.0, high);
    }

    float hue = (color.r - color.g) / range + 4.0;
    if (high == color.r) {
        hue = (color.g - color.b) / range;
    } else if (high == color.g) {
        hue = (color.b - color.r) / range + 2.0;
    }
    return vec3(fract(hue / 6.0), range / high, high);
}

vec3 hsv_to_rgb(vec3 hsv) {
    vec3 k = abs(fract(hsv.x + vec3(1.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0);
    return hsv.z * mix(vec3(1.0), clamp(k - 1.0, 0.0, 1.0), hsv.y);
}

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= shift.count) {
        return;
    }
    vec3 hsv = rgb_to_hsv(srgb_to_linear(colors[i].rgb));
    hsv.x = fract(hsv.x + shift.hue);
    hsv.y = clamp(hsv.y * shift.saturation, 0.0, 1.0);
    hsv.z *= shift.value;
    colors[i] = vec4(linear_to_srgb(hsv_to_rgb(hsv)), colors[i].a);
}
