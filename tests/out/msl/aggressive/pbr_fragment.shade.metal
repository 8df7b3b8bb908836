#include <metal_stdlib>

using namespace metal;

struct PointLight {
    packed_float3 position;
    float radius;
    packed_float3 color;
    float intensity;
};

struct Scene {
    packed_float3 camera;
    int light_count;
    packed_float3 ambient;
    float exposure;
    PointLight lights[4];
};

struct Material {
    float4 albedo;
    float roughness;
    float metallic;
    float normal_scale;
};

struct ShadeInput {
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
    float4 tangent [[user(locn2)]];
    float2 uv [[user(locn3)]];
};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Scene& scene [[buffer(0)]],
    constant Material& material [[buffer(1)]],
    texture2d<float> albedo_tex_tex [[texture(0)]],
    sampler albedo_tex_samp [[sampler(0)]],
    texture2d<float> normal_tex_tex [[texture(1)]],
    sampler normal_tex_samp [[sampler(1)]],
    texture2d<float> surface_tex_tex [[texture(2)]],
    sampler surface_tex_samp [[sampler(2)]]
) {
    float4 base = albedo_tex_tex.sample(albedo_tex_samp, in.uv) * material.albedo;
    float4 surface_texel = surface_tex_tex.sample(surface_tex_samp, in.uv);
    float roughness = clamp(surface_texel.y * material.roughness, 0.04, 1.0);
    float metallic = saturate(surface_texel.z * material.metallic);
    float3 n = normalize(in.normal);
    float3 t = normalize(in.tangent.xyz - n * dot(n, in.tangent.xyz));
    float3 b = cross(n, t) * in.tangent.w;
    float3 mapped = normal_tex_tex.sample(normal_tex_samp, in.uv).xyz * 2.0 - 1.0;
    mapped.xy *= material.normal_scale;
    n = normalize(float3x3(t, b, n) * mapped);
    float3 v = normalize(float3(scene.camera) - in.world);
    float3 light = float3(scene.ambient) * base.xyz * surface_texel.x;
    float3 product = base.xyz * ((1.0 - metallic) * 0.31830987);
    float dot_n_v = dot(n, v);
    float n_dot_v = max(dot_n_v, 0.0001);
    float roughness2 = roughness * roughness;
    float alpha2 = roughness2 * roughness2;
    float roughness_plus_one = roughness + 1.0;
    float k = roughness_plus_one * roughness_plus_one * 0.125;
    float one_minus_k = 1.0 - k;
    float quotient = n_dot_v * alpha2 * 0.31830987 / (n_dot_v * one_minus_k + k);
    float product_1 = 4.0 * n_dot_v;
    float alpha2_minus_one = alpha2 - 1.0;
    float3 f0 = mix(float3(0.04), base.xyz, float3(metallic));
    float3 one_minus_f0 = 1.0 - f0;
#pragma unroll
    for (int i = 0; i < scene.light_count && i < 4; i++) {
        float3 to_light = float3(scene.lights[i].position) - in.world;
        float3 l = normalize(to_light);
        float dot_n_l = dot(n, l);
        float n_dot_l = saturate(dot_n_l);
        float dot_v_l = dot(v, l);
        float value = rsqrt(2.0 + 2.0 * dot_v_l);
        float n_dot_h = saturate((dot_n_v + dot_n_l) * value);
        float denominator = n_dot_h * n_dot_h * alpha2_minus_one + 1.0;
        float difference = 1.0 - saturate((1.0 + dot_v_l) * value);
        float product_2 = difference * difference;
        float3 f = f0 + one_minus_f0 * (product_2 * product_2 * difference);
        float distance2 = dot(to_light, to_light);
        float quotient_1 = distance2 / (scene.lights[i].radius * scene.lights[i].radius);
        float window = saturate(1.0 - quotient_1 * quotient_1);
        light += float3(scene.lights[i].color)
            * mix(product, float3(quotient
                * (n_dot_l / ((n_dot_l * one_minus_k + k) * max(product_1 * n_dot_l, 0.001)
                    * (denominator * denominator)))), f)
            * (scene.lights[i].intensity * (window * window / max(distance2, 0.0001)) * n_dot_l);
    }
    float3 light_times_exposure = light * scene.exposure;
    float3 mapped_1 =
        saturate(light_times_exposure * (2.51 * light_times_exposure + 0.03)
            / (light_times_exposure * (2.43 * light_times_exposure + 0.59) + 0.14));
    return float4(powr(mapped_1, float3(0.45454544)), base.w);
}
