// dxc -T ps_6_2 -E shade -HV 2021

struct PointLight {
    float3 position;
    float radius;
    float3 color;
    float intensity;
};

struct Scene {
    float3 camera;
    int light_count;
    float3 ambient;
    float exposure;
    PointLight lights[4];
};

struct Material {
    float4 albedo;
    float roughness;
    float metallic;
    float normal_scale;
};

ConstantBuffer<Scene> scene : register(b0);

ConstantBuffer<Material> material : register(b0, space1);

Texture2D albedo_tex_tex : register(t1, space1);
SamplerState albedo_tex_samp : register(s2, space1);
Texture2D normal_tex_tex : register(t3, space1);
SamplerState normal_tex_samp : register(s4, space1);
Texture2D surface_tex_tex : register(t5, space1);
SamplerState surface_tex_samp : register(s6, space1);

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1, float4 tangent : TEXCOORD2,
    float2 uv : TEXCOORD3) : SV_Target0 {
    float4 base = albedo_tex_tex.Sample(albedo_tex_samp, uv) * material.albedo;
    float4 surface_texel = surface_tex_tex.Sample(surface_tex_samp, uv);
    float roughness = clamp(surface_texel.y * material.roughness, 0.04, 1.0);
    float metallic = saturate(surface_texel.z * material.metallic);
    float3 n = normalize(normal);
    float3 t = normalize(tangent.xyz - n * dot(n, tangent.xyz));
    float3 b = cross(n, t) * tangent.w;
    float3 mapped = normal_tex_tex.Sample(normal_tex_samp, uv).xyz * 2.0 - 1.0;
    mapped.xy *= material.normal_scale;
    n = normalize(mul(mapped, float3x3(t, b, n)));
    float3 v = normalize(scene.camera - world);
    float3 light = scene.ambient * base.xyz * surface_texel.x;
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
    float3 f0 = lerp((float3)0.04, base.xyz, metallic);
    float3 one_minus_f0 = 1.0 - f0;
    for (int i = 0; i < scene.light_count && i < 4; i++) {
        float3 to_light = scene.lights[i].position - world;
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
        light += scene.lights[i].color
            * lerp(product,
                (float3)(quotient
                    * (n_dot_l / ((n_dot_l * one_minus_k + k) * max(product_1 * n_dot_l, 0.001)
                        * (denominator * denominator)))), f)
            * (scene.lights[i].intensity * (window * window / max(distance2, 0.0001)) * n_dot_l);
    }
    float3 light_times_exposure = light * scene.exposure;
    float3 mapped_1 =
        saturate(light_times_exposure * (2.51 * light_times_exposure + 0.03)
            / (light_times_exposure * (2.43 * light_times_exposure + 0.59) + 0.14));
    return float4(pow(mapped_1, 0.45454544), base.w);
}
