#version 450

layout(local_size_x = 64) in;

layout(binding = 0, std140) uniform Shift {
    int count;
    float hue;
    float saturation;
    float value;
} shift;

layout(binding = 1, std430) buffer Colors {
    vec4 colors[];
};

vec3 linear_to_srgb(vec3 color) {
    vec3 low = color * 12.92;
    vec3 high = 1.055 * pow(max(color, 0.0), vec3(0.41666666)) - 0.055;
    return mix(high, low, lessThanEqual(color, vec3(0.0031308)));
}

vec3 srgb_to_linear(vec3 color) {
    vec3 low = color / 12.92;
    vec3 high = pow((color + 0.055) / 1.055, vec3(2.4));
    return mix(high, low, lessThanEqual(color, vec3(0.04045)));
}

vec3 rgb_to_hsv(vec3 color) {
    float high = max(color.x, max(color.y, color.z));
    float low = min(color.x, min(color.y, color.z));
    float range = high - low;
    if (range == 0.0) {
        return vec3(0.0, 0.0, high);
    }
    float quotient = (color.x - color.y) / range;
    float hue;
    if (high == color.x) {
        hue = (color.y - color.z) / range;
    } else {
        hue = quotient + 4.0;
        if (high == color.y) {
            hue = (color.z - color.x) / range + 2.0;
        }
    }
    return vec3(fract(hue / 6.0), range / high, high);
}

vec3 hsv_to_rgb(vec3 hsv) {
    vec3 k = abs(fract(hsv.x + vec3(1.0, 0.6666667, 0.33333334)) * 6.0 - 3.0);
    return hsv.z * mix(vec3(1.0), clamp(k - 1.0, 0.0, 1.0), hsv.y);
}

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= shift.count) {
        return;
    }
    vec4 color = colors[i];
    vec3 hsv = rgb_to_hsv(srgb_to_linear(color.xyz));
    hsv = vec3(fract(hsv.x + shift.hue), clamp(hsv.y * shift.saturation, 0.0, 1.0),
        hsv.z * shift.value);
    colors[i] = vec4(linear_to_srgb(hsv_to_rgb(hsv)), color.w);
}
