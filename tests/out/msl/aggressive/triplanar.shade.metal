#include <metal_stdlib>

using namespace metal;

struct Material {
    float scale;
    float sharpness;
    float3 to_light;
};

struct ShadeInput {
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Material& material [[buffer(0)]],
    texture2d<float> albedo_tex [[texture(0)]],
    sampler albedo_samp [[sampler(0)]],
    texture2d<float> bumps_tex [[texture(1)]],
    sampler bumps_samp [[sampler(1)]]
) {
    float3 n = normalize(in.normal);
    float3 p = in.world * material.scale;
    float3 blend = powr(abs(n), float3(material.sharpness));
    blend *= 1.0 / (blend.x + blend.y + blend.z);
    float3 color = albedo_tex.sample(albedo_samp, p.zy).xyz * blend.x;
    color += albedo_tex.sample(albedo_samp, p.xz).xyz * blend.y;
    color += albedo_tex.sample(albedo_samp, p.xy).xyz * blend.z;
    float3 x = bumps_tex.sample(bumps_samp, p.zy).xyz * 2.0 - 1.0;
    float3 y = bumps_tex.sample(bumps_samp, p.xz).xyz * 2.0 - 1.0;
    float3 z = bumps_tex.sample(bumps_samp, p.xy).xyz * 2.0 - 1.0;
    x = float3(x.xy + n.zy, abs(x.z) * n.x);
    y = float3(y.xy + n.xz, abs(y.z) * n.y);
    z = float3(z.xy + n.xy, abs(z.z) * n.z);
    float3 sum = x.zyx * blend.x + y.xzy * blend.y + z * blend.z;
    float light = 0.1 + 0.9 * max(dot(sum, material.to_light) * rsqrt(dot(sum, sum)), 0.0);
    return float4(color * light, 1.0);
}
