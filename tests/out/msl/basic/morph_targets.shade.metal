#include <metal_stdlib>

using namespace metal;

struct ShadeInput {
    float3 normal [[user(locn0)]];
};

fragment float4 shade(ShadeInput in [[stage_in]]) {
    return float4(normalize(in.normal) * 0.5 + 0.5, 1.0);
}
