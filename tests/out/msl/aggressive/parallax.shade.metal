#include <metal_stdlib>

using namespace metal;

struct Material {
    float depth;
    float3 eye;
};

struct ShadeInput {
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
    float4 tangent [[user(locn2)]];
    float2 uv [[user(locn3)]];
};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Material& material [[buffer(0)]],
    texture2d<float> albedo_tex [[texture(0)]],
    sampler albedo_samp [[sampler(0)]],
    texture2d<float> heights_tex [[texture(1)]],
    sampler heights_samp [[sampler(1)]]
) {
    float3 n = normalize(in.normal);
    float3 t = normalize(in.tangent.xyz - n * dot(in.tangent.xyz, n));
    float3 view = normalize((material.eye - in.world) * float3x3(t, cross(n, t) * in.tangent.w, n));
    float2 dx = dfdx(in.uv);
    float2 dy = dfdy(in.uv);
    float layers = 32.0 + abs(view.z) * -24.0;
    float thickness = 1.0 / layers;
    float2 step_ = view.xy * (material.depth * thickness / max(view.z, 0.05));
    float found = 1.0 - heights_tex.sample(heights_samp, in.uv, level(0.0)).x;
    float2 p = in.uv;
    float layer = 0.0;
    for (int i = 0; i < 32 && layer < found; i++) {
        p -= step_;
        found = 1.0 - heights_tex.sample(heights_samp, p, level(0.0)).x;
        layer += thickness;
    }
    float after = found - layer;
    float before = 1.0 - heights_tex.sample(heights_samp, p + step_, level(0.0)).x - layer
        + thickness;
    return albedo_tex.sample(albedo_samp, p + after / (after - before) * step_, gradient2d(dx, dy));
}
