// dxc -T cs_6_2 -E recolor -HV 2021
// Between colour spaces: sRGB to linear light, hue, saturation and value, and back.

struct Shift {
    int count;
    float hue;
    float saturation;
    float value;
};

ConstantBuffer<Shift> shift : register(b0, space0);

RWStructuredBuffer<float4> colors : register(u1, space0);

float3 srgb_to_linear(float3 color) {
    float3 low = color / 12.92;
    float3 high = pow((color + 0.055) / 1.055, 2.4);
    return lerp(high, low, float3(color <= 0.04045));
}

float3 linear_to_srgb(float3 color) {
    float3 low = color * 12.92;
    float3 high = 1.055 * pow(max(color, 0.0), 1.0 / 2.4) - 0.055;
    return lerp(high, low, float3(color <= 0.0031308));
}

float3 rgb_to_hsv(float3 color) {
    float high = max(color.r, max(color.g, color.b));
    float low = min(color.r, min(color.g, color.b));
    float range = high - low;
    if (range == 0.0) {
        return float3(0.0, 0.0, high);
    }

    float hue = (color.r - color.g) / range + 4.0;
    if (high == color.r) {
        hue = (color.g - color.b) / range;
    } else if (high == color.g) {
        hue = (color.b - color.r) / range + 2.0;
    }
    return float3(frac(hue / 6.0), range / high, high);
}

float3 hsv_to_rgb(float3 hsv) {
    float3 k = abs(frac(hsv.x + float3(1.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0);
    return hsv.z * lerp(1.0, saturate(k - 1.0), hsv.y);
}

[numthreads(64, 1, 1)]
void recolor(uint3 id : SV_DispatchThreadID) {
    int i = int(id.x);
    if (i >= shift.count) {
        return;
    }
    float3 hsv = rgb_to_hsv(srgb_to_linear(colors[i].rgb));
    hsv.x = frac(hsv.x + shift.hue);
    hsv.y = saturate(hsv.y * shift.saturation);
    hsv.z *= shift.value;
    colors[i] = float4(linear_to_srgb(hsv_to_rgb(hsv)), colors[i].a);
}
