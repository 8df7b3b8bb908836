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

static float3 bump(float2 uv, texture2d<float> bumps_tex, sampler bumps_samp) {
    return bumps_tex.sample(bumps_samp, uv).xyz * 2.0 - 1.0;
}

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
    float sum = blend.x + blend.y + blend.z;
    float3 value = float3(blend.x / sum);
    float3 color = albedo_tex.sample(albedo_samp, p.zy).xyz * value;
    float3 value_1 = float3(blend.y / sum);
    color += albedo_tex.sample(albedo_samp, p.xz).xyz * value_1;
    float3 value_2 = float3(blend.z / sum);
    color += albedo_tex.sample(albedo_samp, p.xy).xyz * value_2;
    float3 x = bump(p.zy, bumps_tex, bumps_samp);
    float3 y = bump(p.xz, bumps_tex, bumps_samp);
    float3 z = bump(p.xy, bumps_tex, bumps_samp);
    x = float3(x.xy + n.zy, abs(x.z) * n.x);
    y = float3(y.xy + n.xz, abs(y.z) * n.y);
    z = float3(z.xy + n.xy, abs(z.z) * n.z);
    float3 normal = normalize(x.zyx * value + y.xzy * value_1 + z * value_2);
    float light = 0.1 + 0.9 * max(dot(normal, material.to_light), 0.0);
    return float4(color * light, 1.0);
}
