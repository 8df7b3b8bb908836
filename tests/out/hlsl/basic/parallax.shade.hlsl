// dxc -T ps_6_2 -E shade -HV 2021

struct Material {
    float depth;
    float3 pad_0;
    float3 eye;
};

ConstantBuffer<Material> material : register(b0);

Texture2D albedo_tex : register(t1);
SamplerState albedo_samp : register(s2);
Texture2D heights_tex : register(t3);
SamplerState heights_samp : register(s4);

float depth_at(float2 uv) {
    return 1.0 - heights_tex.SampleLevel(heights_samp, uv, 0.0).x;
}

float2 displaced(float2 uv, float3 view) {
    float layers = lerp(32.0, 8.0, abs(view.z));
    float thickness = 1.0 / layers;
    float2 step_ = view.xy / max(view.z, 0.05) * (material.depth * thickness);
    float found = depth_at(uv);
    float2 p = uv;
    float layer = 0.0;
    for (int i = 0; i < 32 && layer < found; i++) {
        p -= step_;
        found = depth_at(p);
        layer += thickness;
    }
    float after = found - layer;
    float2 p_plus_step = p + step_;
    float before = depth_at(p_plus_step) - layer + thickness;
    return lerp(p, p_plus_step, after / (after - before));
}

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1, float4 tangent : TEXCOORD2,
    float2 uv : TEXCOORD3) : SV_Target0 {
    float3 n = normalize(normal);
    float3 t = normalize(tangent.xyz - n * dot(tangent.xyz, n));
    float3 view = normalize(mul(float3x3(t, cross(n, t) * tangent.w, n), material.eye - world));
    float2 dx = ddx(uv);
    float2 dy = ddy(uv);
    return albedo_tex.SampleGrad(albedo_samp, displaced(uv, view), dx, dy);
}
