#include <metal_stdlib>

using namespace metal;

struct Shift {
    int count;
    float hue;
    float saturation;
    float value;
};

static float3 linear_to_srgb(float3 color) {
    float3 low = color * 12.92;
    float3 high = 1.055 * powr(max(color, float3(0.0)), float3(0.41666666)) - 0.055;
    return select(high, low, color <= float3(0.0031308));
}

static float3 srgb_to_linear(float3 color) {
    float3 low = color / 12.92;
    float3 high = powr((color + 0.055) / 1.055, float3(2.4));
    return select(high, low, color <= float3(0.04045));
}

static float3 rgb_to_hsv(float3 color) {
    float high = max(color.x, max(color.y, color.z));
    float low = min(color.x, min(color.y, color.z));
    float range = high - low;
    if (range == 0.0) {
        return float3(0.0, 0.0, high);
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
    return float3(fract(hue / 6.0), range / high, high);
}

static float3 hsv_to_rgb(float3 hsv) {
    float3 k = abs(fract(hsv.x + float3(1.0, 0.6666667, 0.33333334)) * 6.0 - 3.0);
    return hsv.z * mix(float3(1.0), saturate(k - 1.0), float3(hsv.y));
}

[[max_total_threads_per_threadgroup(64)]]
kernel void recolor(
    uint3 id [[thread_position_in_grid]],
    constant Shift& shift [[buffer(0)]],
    device float4* colors [[buffer(1)]]
) {
    int i = int(id.x);
    if (i >= shift.count) {
        return;
    }
    float4 color = colors[i];
    float3 hsv = rgb_to_hsv(srgb_to_linear(color.xyz));
    hsv = float3(fract(hsv.x + shift.hue), saturate(hsv.y * shift.saturation), hsv.z * shift.value);
    float3 value = linear_to_srgb(hsv_to_rgb(hsv));
    colors[i] = float4(value, color.w);
}
