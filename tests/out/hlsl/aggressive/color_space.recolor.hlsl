// dxc -T cs_6_2 -E recolor -HV 2021

struct Shift {
    int count;
    float hue;
    float saturation;
    float value;
};

ConstantBuffer<Shift> shift : register(b0);

RWStructuredBuffer<float4> colors : register(u1);

[numthreads(64, 1, 1)]
void recolor(uint3 id : SV_DispatchThreadID) {
    int i = int(id.x);
    if (i >= shift.count) {
        return;
    }
    float4 color = colors[i];
    float3 low = color.xyz * 0.07739938;
    float3 high = pow((color.xyz + 0.055) * 0.94786733, 2.4);
    bool3 is_at_most = color.xyz <= 0.04045;
    float3 value = float3(is_at_most.x ? low.x : high.x, is_at_most.y ? low.y : high.y,
        is_at_most.z ? low.z : high.z);
    float high_1 = max(value.x, max(value.y, value.z));
    float low_1 = min(value.x, min(value.y, value.z));
    float range = high_1 - low_1;
    float3 hsv;
    if (range == 0.0) {
        hsv = float3(0.0, 0.0, high_1);
    } else {
        float quotient = (value.x - value.y) / range;
        float hue;
        if (high_1 == value.x) {
            hue = (value.y - value.z) / range;
        } else {
            hue = quotient + 4.0;
            if (high_1 == value.y) {
                hue = (value.z - value.x) / range + 2.0;
            }
        }
        hsv = float3(frac(hue * 0.16666667), range / high_1, high_1);
    }
    float3 k = abs(frac(frac(hsv.x + shift.hue) + float3(1.0, 0.6666667, 0.33333334)) * 6.0 - 3.0);
    float3 product = hsv.z * shift.value
        * lerp((float3)1.0, saturate(k - 1.0), saturate(hsv.y * shift.saturation));
    float3 low_2 = product * 12.92;
    float3 high_2 = 1.055 * pow(max(product, 0.0), 0.41666666) - 0.055;
    bool3 is_at_most_1 = product <= 0.0031308;
    colors[i] = float4(is_at_most_1.x ? low_2.x : high_2.x, is_at_most_1.y ? low_2.y : high_2.y,
        is_at_most_1.z ? low_2.z : high_2.z, color.w);
}
