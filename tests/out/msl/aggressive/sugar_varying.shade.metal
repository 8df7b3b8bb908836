#include <metal_stdlib>

using namespace metal;

struct ShadeInput {
    float2 uv [[user(locn0)]];
    float3 normal [[user(locn1)]];
    uint face [[user(locn2)]] [[flat]];
};

fragment float4 shade(ShadeInput in [[stage_in]]) {
    float facing = normalize(in.normal).z;
    return float4(in.uv, facing, float(in.face));
}
