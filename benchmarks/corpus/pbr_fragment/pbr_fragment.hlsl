// dxc -T ps_6_2 -E shade -HV 2021
// A physically based surface (metal/roughness) lit by point lights.

static const float PI = 3.14159265358979;
static const int MAX_LIGHTS = 4;

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
    PointLight lights[MAX_LIGHTS];
};

struct Material {
    float4 albedo;
    float roughness;
    float metallic;
    float normal_scale;
};

ConstantBuffer<Scene> scene : register(b0, space0);
ConstantBuffer<Material> material : register(b0, space1);

Texture2D albedo_tex : register(t1, space1);
SamplerState albedo_samp : register(s2, space1);
Texture2D normal_tex : register(t3, space1);
SamplerState normal_samp : register(s4, space1);
Texture2D surface_tex : register(t5, space1);
SamplerState surface_samp : register(s6, space1);

float square(float x) {
    return x * x;
}

float distribution_ggx(float n_dot_h, float roughness) {
    float alpha2 = square(square(roughness));
    float denominator = square(n_dot_h) * (alpha2 - 1.0) + 1.0;
    return alpha2 / (PI * square(denominator));
}

float geometry_schlick(float n_dot_x, float roughness) {
    float k = square(roughness + 1.0) / 8.0;
    return n_dot_x / (n_dot_x * (1.0 - k) + k);
}

float geometry_smith(float n_dot_v, float n_dot_l, float roughness) {
    return geometry_schlick(n_dot_v, roughness) * geometry_schlick(n_dot_l, roughness);
}

float3 fresnel_schlick(float cos_theta, float3 f0) {
    return f0 + (1.0 - f0) * pow(saturate(1.0 - cos_theta), 5.0);
}

float3 shading_normal(float3 normal, float4 tangent, float2 uv) {
    float3 n = normalize(normal);
    float3 t = normalize(tangent.xyz - n * dot(n, tangent.xyz));
    float3 b = cross(n, t) * tangent.w;
    float3 mapped = normal_tex.Sample(normal_samp, uv).xyz * 2.0 - 1.0;
    mapped.xy *= material.normal_scale;
    return normalize(mul(mapped, float3x3(t, b, n)));
}

float attenuation(float distance2, float radius) {
    float window = saturate(1.0 - square(distance2 / square(radius)));
    return square(window) / max(distance2, 0.0001);
}

float3 direct_light(
    PointLight light, float3 world, float3 n, float3 v, float3 albedo, float roughness,
    float metallic
) {
    float3 to_light = light.position - world;
    float distance2 = dot(to_light, to_light);
    float3 l = to_light * rsqrt(distance2);
    float3 h = normalize(v + l);

    float n_dot_l = max(dot(n, l), 0.0);
    float n_dot_v = max(dot(n, v), 0.0001);
    float n_dot_h = max(dot(n, h), 0.0);

    float3 f0 = lerp(0.04, albedo, metallic);
    float3 f = fresnel_schlick(max(dot(h, v), 0.0), f0);
    float d = distribution_ggx(n_dot_h, roughness);
    float g = geometry_smith(n_dot_v, n_dot_l, roughness);

    float3 specular = f * (d * g / max(4.0 * n_dot_v * n_dot_l, 0.001));
    float3 diffuse = (1.0 - f) * (1.0 - metallic) * albedo / PI;
    float3 radiance = light.color * (light.intensity * attenuation(distance2, light.radius));
    return (diffuse + specular) * radiance * n_dot_l;
}

float3 aces_fit(float3 x) {
    const float a = 2.51;
    const float b = 0.03;
    const float c = 2.43;
    const float d = 0.59;
    const float e = 0.14;
    return saturate((x * (a * x + b)) / (x * (c * x + d) + e));
}

float4 shade(
    float3 world : TEXCOORD0, float3 normal : TEXCOORD1, float4 tangent : TEXCOORD2,
    float2 uv : TEXCOORD3
) : SV_Target0 {
    float4 base = albedo_tex.Sample(albedo_samp, uv) * material.albedo;
    float3 orm = surface_tex.Sample(surface_samp, uv).rgb;
    float roughness = clamp(orm.g * material.roughness, 0.04, 1.0);
    float metallic = saturate(orm.b * material.metallic);

    float3 n = shading_normal(normal, tangent, uv);
    float3 v = normalize(scene.camera - world);

    float3 light = scene.ambient * base.rgb * orm.r;
    for (int i = 0; i < min(scene.light_count, MAX_LIGHTS); i++) {
        light += direct_light(scene.lights[i], world, n, v, base.rgb, roughness, metallic);
    }

    float3 mapped = aces_fit(light * scene.exposure);
    return float4(pow(mapped, 1.0 / 2.2), base.a);
}
