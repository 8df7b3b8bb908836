#include <metal_stdlib>

using namespace metal;

struct Shift {
    int count;
    float hue;
    float saturation;
    float value;
};

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
    float3 low = color.xyz * 0.07739938;
    float3 high = powr((color.xyz + 0.055) * 0.94786733, float3(2.4));
    float3 chosen = select(high, low, color.xyz <= float3(0.04045));
    float high_1 = max(chosen.x, max(chosen.y, chosen.z));
    float low_1 = min(chosen.x, min(chosen.y, chosen.z));
    float range = high_1 - low_1;
    float3 hsv;
    if (range == 0.0) {
        hsv = float3(0.0, 0.0, high_1);
    } else {
        float quotient = (chosen.x - chosen.y) / range;
        float hue;
        if (high_1 == chosen.x) {
            hue = (chosen.y - chosen.z) / range;
        } else {
            hue = quotient + 4.0;
            if (high_1 == chosen.y) {
                hue = (chosen.z - chosen.x) / range + 2.0;
            }
        }
        hsv = float3(fract(hue * 0.16666667), range / high_1, high_1);
    }
    float3 k = abs(fract(fract(hsv.x + shift.hue) + float3(1.0, 0.6666667, 0.33333334)) * 6.0
        - 3.0);
    float3 product = hsv.z * shift.value
        * mix(float3(1.0), saturate(k - 1.0), float3(saturate(hsv.y * shift.saturation)));
    float3 low_2 = product * 12.92;
    float3 high_2 = 1.055 * powr(max(product, float3(0.0)), float3(0.41666666)) - 0.055;
    colors[i] = float4(select(high_2, low_2, product <= float3(0.0031308)), color.w);
}
