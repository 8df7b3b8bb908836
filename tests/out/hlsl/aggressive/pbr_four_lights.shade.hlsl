// dxc -T ps_6_2 -E shade -HV 2021

struct Scene {
    float4 light_positions[4];
    float4 light_colors[4];
    float3 camera;
};

ConstantBuffer<Scene> scene : register(b0);

Texture2D albedo_map_tex : register(t0, space1);
SamplerState albedo_map_samp : register(s1, space1);
Texture2D surface_map_tex : register(t2, space1);
SamplerState surface_map_samp : register(s3, space1);

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1, float2 uv : TEXCOORD2)
    : SV_Target0 {
    float3 albedo = pow(albedo_map_tex.Sample(albedo_map_samp, uv).xyz, 2.2);
    float4 surface_map_texel = surface_map_tex.Sample(surface_map_samp, uv);
    float3 n = normalize(normal);
    float3 v = normalize(scene.camera - world);
    float metallic = surface_map_texel.z;
    float3 f0 = lerp((float3)0.04, albedo, metallic);
    float3 product = albedo * ((1.0 - metallic) * 0.31830987);
    float dot_n_v = dot(n, v);
    float n_dot_v = saturate(dot_n_v);
    float roughness = surface_map_texel.y;
    float a = roughness * roughness;
    float a2 = a * a;
    float r = roughness + 1.0;
    float k = r * r * 0.125;
    float one_minus_k = 1.0 - k;
    float quotient = n_dot_v * a2 * 0.31830987 / (n_dot_v * one_minus_k + k);
    float product_1 = 4.0 * n_dot_v;
    float a2_minus_one = a2 - 1.0;
    float3 one_minus_f0 = 1.0 - f0;
    float3 light = (float3)0.0;
    for (int i = 0; i < 4; i++) {
        float3 difference = scene.light_positions[i].xyz - world;
        float3 l = normalize(difference);
        float dot_n_l = dot(n, l);
        float n_dot_l = saturate(dot_n_l);
        float denominator = product_1 * n_dot_l + 0.0001;
        float dot_v_l = dot(v, l);
        float value = rsqrt(2.0 + 2.0 * dot_v_l);
        float n_dot_h = saturate((dot_n_v + dot_n_l) * value);
        float denominator_1 = n_dot_h * n_dot_h * a2_minus_one + 1.0;
        float difference_1 = 1.0 - saturate((1.0 + dot_v_l) * value);
        float product_2 = difference_1 * difference_1;
        float3 f = f0 + one_minus_f0 * (product_2 * product_2 * difference_1);
        light += scene.light_colors[i].xyz
            * lerp(product,
                (float3)(quotient
                    * (n_dot_l / ((n_dot_l * one_minus_k + k) * denominator
                        * (denominator_1 * denominator_1)))), f)
            * (n_dot_l / dot(difference, difference));
    }
    float3 color = albedo * (0.03 * surface_map_texel.x) + light;
    color /= color + 1.0;
    return float4(pow(color, 0.45454544), 1.0);
}
