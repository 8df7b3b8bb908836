// dxc -T ps_6_2 -E shade -HV 2021
// Metal and roughness (Cook-Torrance with GGX) under four point lights.

static const float PI = 3.14159265359;

struct Scene {
    float4 light_positions[4];
    float4 light_colors[4];
    float3 camera;
};

ConstantBuffer<Scene> scene : register(b0, space0);

Texture2D albedo_map : register(t0, space1);
SamplerState albedo_samp : register(s1, space1);
Texture2D surface_map : register(t2, space1); // occlusion, roughness, metallic
SamplerState surface_samp : register(s3, space1);

float distribution_ggx(float3 n, float3 h, float roughness) {
    float a = roughness * roughness;
    float a2 = a * a;
    float n_dot_h = max(dot(n, h), 0.0);
    float denominator = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    return a2 / (PI * denominator * denominator);
}

float geometry_schlick_ggx(float n_dot_v, float roughness) {
    float r = roughness + 1.0;
    float k = r * r / 8.0;
    return n_dot_v / (n_dot_v * (1.0 - k) + k);
}

float geometry_smith(float3 n, float3 v, float3 l, float roughness) {
    float n_dot_v = max(dot(n, v), 0.0);
    float n_dot_l = max(dot(n, l), 0.0);
    return geometry_schlick_ggx(n_dot_v, roughness) * geometry_schlick_ggx(n_dot_l, roughness);
}

float3 fresnel_schlick(float cos_theta, float3 f0) {
    return f0 + (1.0 - f0) * pow(saturate(1.0 - cos_theta), 5.0);
}

float4 shade(
    float3 world : TEXCOORD0, float3 normal : TEXCOORD1, float2 uv : TEXCOORD2
) : SV_Target0 {
    float3 albedo = pow(albedo_map.Sample(albedo_samp, uv).rgb, 2.2);
    float3 orm = surface_map.Sample(surface_samp, uv).rgb;
    float roughness = orm.g;
    float metallic = orm.b;

    float3 n = normalize(normal);
    float3 v = normalize(scene.camera - world);
    float3 f0 = lerp(0.04, albedo, metallic);

    float3 light = 0.0;
    for (int i = 0; i < 4; i++) {
        float3 l = normalize(scene.light_positions[i].xyz - world);
        float3 h = normalize(v + l);
        float reach = length(scene.light_positions[i].xyz - world);
        float attenuation = 1.0 / (reach * reach);
        float3 radiance = scene.light_colors[i].rgb * attenuation;

        float d = distribution_ggx(n, h, roughness);
        float g = geometry_smith(n, v, l, roughness);
        float3 f = fresnel_schlick(max(dot(h, v), 0.0), f0);

        float3 numerator = d * g * f;
        float denominator = 4.0 * max(dot(n, v), 0.0) * max(dot(n, l), 0.0) + 0.0001;
        float3 specular = numerator / denominator;

        float3 diffuse = (1.0 - f) * (1.0 - metallic);
        float n_dot_l = max(dot(n, l), 0.0);
        light += (diffuse * albedo / PI + specular) * radiance * n_dot_l;
    }

    float3 color = 0.03 * albedo * orm.r + light;
    color = color / (color + 1.0);
    return float4(pow(color, 1.0 / 2.2), 1.0);
}
