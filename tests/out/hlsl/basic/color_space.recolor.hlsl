// dxc -T cs_6_2 -E recolor -HV 2021

struct Shift {
    int count;
    float hue;
    float saturation;
    float value;
};

ConstantBuffer<Shift> shift : register(b0);

RWStructuredBuffer<float4> colors : register(u1);

float3 linear_to_srgb(float3 color) {
    float3 low = color * 12.92;
    float3 high = 1.055 * pow(max(color, 0.0), 0.41666666) - 0.055;
    bool3 is_at_most = color <= 0.0031308;
    return float3(is_at_most.x ? low.x : high.x, is_at_most.y ? low.y : high.y,
        is_at_most.z ? low.z : high.z);
}

float3 srgb_to_linear(float3 color) {
    float3 low = color / 12.92;
    float3 high = pow((color + 0.055) / 1.055, 2.4);
    bool3 is_at_most = color <= 0.04045;
    return float3(is_at_most.x ? low.x : high.x, is_at_most.y ? low.y : high.y,
        is_at_most.z ? low.z : high.z);
}

float3 rgb_to_hsv(float3 color) {
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
    return float3(frac(hue / 6.0), range / high, high);
}

float3 hsv_to_rgb(float3 hsv) {
    float3 k = abs(frac(hsv.x + float3(1.0, 0.6666667, 0.33333334)) * 6.0 - 3.0);
    return hsv.z * lerp((float3)1.0, saturate(k - 1.0), hsv.y);
}

[numthreads(64, 1, 1)]
void recolor(uint3 id : SV_DispatchThreadID) {
    int i = int(id.x);
    if (i >= shift.count) {
        return;
    }
    float4 color = colors[i];
    float3 hsv = rgb_to_hsv(srgb_to_linear(color.xyz));
    hsv = float3(frac(hsv.x + shift.hue), saturate(hsv.y * shift.saturation), hsv.z * shift.value);
    colors[i] = float4(linear_to_srgb(hsv_to_rgb(hsv)), color.w);
}
