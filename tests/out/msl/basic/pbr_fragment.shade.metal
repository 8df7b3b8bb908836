#include <metal_stdlib>

using namespace metal;

struct PointLight {
    float3 position;
    float radius;
    float3 color;
    float intensity;
};

struct PointLightUniform {
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
    PointLightUniform lights[4];
};

struct Material {
    float4 albedo;
    float roughness;
    float metallic;
    float normal_scale;
};

struct Surface {
    float4 position;
    float3 world;
    float3 normal;
    float4 tangent;
    float2 uv;
};

struct ShadeInput {
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
    float4 tangent [[user(locn2)]];
    float2 uv [[user(locn3)]];
};

static float square(float x) {
    return x * x;
}

static float distribution_ggx(float n_dot_h, float roughness) {
    float alpha2 = square(square(roughness));
    float denominator = square(n_dot_h) * (alpha2 - 1.0) + 1.0;
    return alpha2 / (3.1415927 * square(denominator));
}

static float geometry_schlick(float n_dot_x, float roughness) {
    float k = square(roughness + 1.0) * 0.125;
    return n_dot_x / (n_dot_x * (1.0 - k) + k);
}

static float geometry_smith(float n_dot_v, float n_dot_l, float roughness) {
    return geometry_schlick(n_dot_v, roughness) * geometry_schlick(n_dot_l, roughness);
}

static float3 fresnel_schlick(float cos_theta, float3 f0) {
    return f0 + (1.0 - f0) * powr(saturate(1.0 - cos_theta), 5.0);
}

static float3 aces_fit(float3 x) {
    return saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
}

static float3 shading_normal(Surface surface, constant Material& material,
    texture2d<float> normal_tex_tex, sampler normal_tex_samp) {
    float3 n = normalize(surface.normal);
    float3 t = normalize(surface.tangent.xyz - n * dot(n, surface.tangent.xyz));
    float3 b = cross(n, t) * surface.tangent.w;
    float3 mapped = normal_tex_tex.sample(normal_tex_samp, surface.uv).xyz * 2.0 - 1.0;
    mapped.xy *= material.normal_scale;
    return normalize(float3x3(t, b, n) * mapped);
}

static float attenuation(float distance2, float radius) {
    float window = saturate(1.0 - square(distance2 / square(radius)));
    return square(window) / max(distance2, 0.0001);
}

static float3 direct_light(PointLight light, float3 world, float3 n, float3 v, float3 albedo,
    float roughness, float metallic) {
    float3 to_light = light.position - world;
    float distance2 = dot(to_light, to_light);
    float3 l = to_light * rsqrt(distance2);
    float3 h = normalize(v + l);
    float n_dot_l = max(dot(n, l), 0.0);
    float n_dot_v = max(dot(n, v), 0.0001);
    float n_dot_h = max(dot(n, h), 0.0);
    float3 f0 = mix(float3(0.04), albedo, float3(metallic));
    float3 f = fresnel_schlick(max(dot(h, v), 0.0), f0);
    float d = distribution_ggx(n_dot_h, roughness);
    float g = geometry_smith(n_dot_v, n_dot_l, roughness);
    float3 specular = f * (d * g / max(4.0 * n_dot_v * n_dot_l, 0.001));
    float3 diffuse = (1.0 - f) * (1.0 - metallic) * albedo / 3.1415927;
    float3 radiance = light.color * (light.intensity * attenuation(distance2, light.radius));
    return (diffuse + specular) * radiance * n_dot_l;
}

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
    Surface surface = Surface{float4(0.0), in.world, in.normal, in.tangent, in.uv};
    float4 base = albedo_tex_tex.sample(albedo_tex_samp, in.uv) * material.albedo;
    float4 surface_texel = surface_tex_tex.sample(surface_tex_samp, in.uv);
    float roughness = clamp(surface_texel.y * material.roughness, 0.04, 1.0);
    float metallic = saturate(surface_texel.z * material.metallic);
    float3 n = shading_normal(surface, material, normal_tex_tex, normal_tex_samp);
    float3 v = normalize(float3(scene.camera) - in.world);
    float3 light = float3(scene.ambient) * base.xyz * surface_texel.x;
#pragma unroll
    for (int i = 0; i < scene.light_count && i < 4; i++) {
        light += direct_light(PointLight{float3(scene.lights[i].position), scene.lights[i].radius,
            float3(scene.lights[i].color), scene.lights[i].intensity}, in.world, n, v, base.xyz,
            roughness, metallic);
    }
    float3 mapped = aces_fit(light * scene.exposure);
    return float4(powr(mapped, float3(0.45454544)), base.w);
}
