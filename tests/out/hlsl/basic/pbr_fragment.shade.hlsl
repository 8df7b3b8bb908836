// dxc -T ps_6_2 -E shade -HV 2021

struct Surface {
    float4 position;
    float3 world;
    float3 normal;
    float4 tangent;
    float2 uv;
};

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

float square(float x) {
    return x * x;
}

float distribution_ggx(float n_dot_h, float roughness) {
    float alpha2 = square(square(roughness));
    float denominator = square(n_dot_h) * (alpha2 - 1.0) + 1.0;
    return alpha2 / (3.1415927 * square(denominator));
}

float geometry_schlick(float n_dot_x, float roughness) {
    float k = square(roughness + 1.0) * 0.125;
    return n_dot_x / (n_dot_x * (1.0 - k) + k);
}

float geometry_smith(float n_dot_v, float n_dot_l, float roughness) {
    return geometry_schlick(n_dot_v, roughness) * geometry_schlick(n_dot_l, roughness);
}

float3 fresnel_schlick(float cos_theta, float3 f0) {
    return f0 + (1.0 - f0) * pow(saturate(1.0 - cos_theta), 5.0);
}

float3 aces_fit(float3 x) {
    return saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
}

float3 shading_normal(Surface surface) {
    float3 n = normalize(surface.normal);
    float3 t = normalize(surface.tangent.xyz - n * dot(n, surface.tangent.xyz));
    float3 b = cross(n, t) * surface.tangent.w;
    float3 mapped = normal_tex_tex.Sample(normal_tex_samp, surface.uv).xyz * 2.0 - 1.0;
    mapped.xy *= material.normal_scale;
    return normalize(mul(mapped, float3x3(t, b, n)));
}

float attenuation(float distance2, float radius) {
    float window = saturate(1.0 - square(distance2 / square(radius)));
    return square(window) / max(distance2, 0.0001);
}

float3 direct_light(PointLight light, float3 world, float3 n, float3 v, float3 albedo,
    float roughness, float metallic) {
    float3 to_light = light.position - world;
    float distance2 = dot(to_light, to_light);
    float3 l = to_light * rsqrt(distance2);
    float3 h = normalize(v + l);
    float n_dot_l = max(dot(n, l), 0.0);
    float n_dot_v = max(dot(n, v), 0.0001);
    float n_dot_h = max(dot(n, h), 0.0);
    float3 f0 = lerp((float3)0.04, albedo, metallic);
    float3 f = fresnel_schlick(max(dot(h, v), 0.0), f0);
    float d = distribution_ggx(n_dot_h, roughness);
    float g = geometry_smith(n_dot_v, n_dot_l, roughness);
    float3 specular = f * (d * g / max(4.0 * n_dot_v * n_dot_l, 0.001));
    float3 diffuse = (1.0 - f) * (1.0 - metallic) * albedo / 3.1415927;
    float3 radiance = light.color * (light.intensity * attenuation(distance2, light.radius));
    return (diffuse + specular) * radiance * n_dot_l;
}

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1, float4 tangent : TEXCOORD2,
    float2 uv : TEXCOORD3) : SV_Target0 {
    Surface surface = { (float4)0.0, world, normal, tangent, uv };
    float4 base = albedo_tex_tex.Sample(albedo_tex_samp, uv) * material.albedo;
    float4 surface_texel = surface_tex_tex.Sample(surface_tex_samp, uv);
    float roughness = clamp(surface_texel.y * material.roughness, 0.04, 1.0);
    float metallic = saturate(surface_texel.z * material.metallic);
    float3 n = shading_normal(surface);
    float3 v = normalize(scene.camera - world);
    float3 light = scene.ambient * base.xyz * surface_texel.x;
    for (int i = 0; i < scene.light_count && i < 4; i++) {
        light += direct_light(scene.lights[i], world, n, v, base.xyz, roughness, metallic);
    }
    float3 mapped = aces_fit(light * scene.exposure);
    return float4(pow(mapped, 0.45454544), base.w);
}
