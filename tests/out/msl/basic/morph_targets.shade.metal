#include <metal_stdlib>

using namespace metal;

struct ShadeInput {
    float3 normal [[user(locn0)]];
};

struct ShadeOutput {
    float4 color [[color(0)]];
};

fragment ShadeOutput shade(ShadeInput in [[stage_in]]) {
    return {float4(normalize(in.normal) * 0.5 + 0.5, 1.0)};
}
