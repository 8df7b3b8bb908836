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

static float depth_at(float2 uv, texture2d<float> heights_tex, sampler heights_samp) {
    return 1.0 - heights_tex.sample(heights_samp, uv, level(0.0)).x;
}

static float2 displaced(float2 uv, float3 view, constant Material& material,
    texture2d<float> heights_tex, sampler heights_samp) {
    float layers = mix(32.0, 8.0, abs(view.z));
    float thickness = 1.0 / layers;
    float2 step_ = view.xy / max(view.z, 0.05) * (material.depth * thickness);
    float found = depth_at(uv, heights_tex, heights_samp);
    float2 p = uv;
    float layer = 0.0;
    for (int i = 0; i < 32 && layer < found; i++) {
        p -= step_;
        found = depth_at(p, heights_tex, heights_samp);
        layer += thickness;
    }
    float after = found - layer;
    float2 p_plus_step = p + step_;
    float before = depth_at(p_plus_step, heights_tex, heights_samp) - layer + thickness;
    return mix(p, p_plus_step, float2(after / (after - before)));
}

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
    return albedo_tex.sample(albedo_samp,
        displaced(in.uv, view, material, heights_tex, heights_samp), gradient2d(dx, dy));
}
