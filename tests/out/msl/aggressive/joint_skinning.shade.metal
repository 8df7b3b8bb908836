#include <metal_stdlib>

using namespace metal;

struct ShadeInput {
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
};

struct ShadeOutput {
    float4 world [[color(0)]];
    float4 normal [[color(1)]];
};

fragment ShadeOutput shade(ShadeInput in [[stage_in]]) {
    ShadeOutput out;
    out.world = float4(in.world, 1.0);
    out.normal = float4(normalize(in.normal), 0.0);
    return out;
}
