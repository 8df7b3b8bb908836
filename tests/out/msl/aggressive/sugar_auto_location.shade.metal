#include <metal_stdlib>

using namespace metal;

struct ShadeInput {
    float2 uv [[user(locn0)]];
    float4 tint [[user(locn1)]];
    int layer [[user(locn5)]] [[flat]];
    float weight [[user(locn6)]];
};

struct ShadeOutput {
    float4 color [[color(0)]];
    int2 layers [[color(2)]];
};

fragment ShadeOutput shade(ShadeInput in [[stage_in]]) {
    ShadeOutput out;
    out.color = float4(in.uv, in.weight, in.tint.y);
    out.layers = int2(in.layer, -3);
    return out;
}
