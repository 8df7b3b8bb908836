#include <metal_stdlib>

using namespace metal;

struct Light {
    float3 direction;
    float intensity;
    float3 color;
};

struct LightUniform {
    packed_float3 direction;
    float intensity;
    float3 color;
};

struct Scene {
    LightUniform lights[3];
    float3 camera;
    float3 ambient;
};

struct alignas(16) Material {
    packed_float3 base_color;
    float roughness;
    float metallic;
    float clearcoat;
    float clearcoat_roughness;
};

struct Surface {
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

static float d_ggx(float n_dot_h, float roughness) {
    float a = roughness * roughness;
    float f = (n_dot_h * a * a - n_dot_h) * n_dot_h + 1.0;
    return a * a / (3.1415927 * f * f);
}

static float v_smith(float n_dot_v, float n_dot_l, float roughness) {
    float a = roughness * roughness;
    float a2 = a * a;
    float one_minus_a2 = 1.0 - a2;
    float ggx_v = n_dot_l * sqrt(n_dot_v * n_dot_v * one_minus_a2 + a2);
    float ggx_l = n_dot_v * sqrt(n_dot_l * n_dot_l * one_minus_a2 + a2);
    return 0.5 / (ggx_v + ggx_l + 0.00001);
}

static float v_kelemen(float l_dot_h) {
    return 0.25 / (l_dot_h * l_dot_h);
}

static float3 f_schlick(float3 f0, float cos_theta) {
    return f0 + (1.0 - f0) * powr(1.0 - cos_theta, 5.0);
}

static float f_schlick_coat(float cos_theta) {
    return 0.04 + 0.96 * powr(1.0 - cos_theta, 5.0);
}

static float3 flake_normal(Surface surface, float3 n, texture2d<float> flakes_tex,
    sampler flakes_samp) {
    float3 t = normalize(surface.tangent.xyz);
    float3 b = normalize(cross(n, t)) * surface.tangent.w;
    float3 flake = flakes_tex.sample(flakes_samp, surface.uv * 4.0).xyz * 2.0 - 1.0;
    return normalize(float3x3(t, b, n) * normalize(flake));
}

static float3 shine(Light light, float3 n, float3 coat_n, float3 v, float3 diffuse, float3 f0,
    constant Material& material) {
    float3 l = normalize(-light.direction);
    float3 h = normalize(v + l);
    float n_dot_l = saturate(dot(n, l));
    float n_dot_v = abs(dot(n, v)) + 0.00001;
    float n_dot_h = saturate(dot(n, h));
    float l_dot_h = clamp(dot(l, h), 0.001, 1.0);
    float d = d_ggx(n_dot_h, material.roughness);
    float vis = v_smith(n_dot_v, n_dot_l, material.roughness);
    float3 f = f_schlick(f0, l_dot_h);
    float3 specular = d * vis * f;
    float3 base = (diffuse / 3.1415927 + specular) * n_dot_l;
    float coat_n_dot_h = saturate(dot(coat_n, h));
    float coat_n_dot_l = saturate(dot(coat_n, l));
    float coat_d = d_ggx(coat_n_dot_h, material.clearcoat_roughness);
    float coat_f = f_schlick_coat(l_dot_h) * material.clearcoat;
    float coat = coat_d * v_kelemen(l_dot_h) * coat_f;
    float3 one_minus_coat_f = float3(1.0 - coat_f);
    float3 color = base * one_minus_coat_f * one_minus_coat_f + coat * coat_n_dot_l;
    return color * light.color * light.intensity;
}

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Scene& scene [[buffer(0)]],
    constant Material& material [[buffer(1)]],
    texture2d<float> flakes_tex [[texture(0)]],
    sampler flakes_samp [[sampler(0)]]
) {
    Surface surface = Surface{in.world, in.normal, in.tangent, in.uv};
    float3 coat_n = normalize(in.normal);
    float3 n = flake_normal(surface, coat_n, flakes_tex, flakes_samp);
    float3 v = normalize(scene.camera - in.world);
    float3 diffuse = float3(material.base_color) * (1.0 - material.metallic);
    float3 f0 = mix(float3(0.04), float3(material.base_color), float3(material.metallic));
    float3 color = scene.ambient * (diffuse + f0);
    for (int i = 0; i < 3; i++) {
        color += shine(Light{float3(scene.lights[i].direction), scene.lights[i].intensity,
            scene.lights[i].color}, n, coat_n, v, diffuse, f0, material);
    }
    return float4(color, 1.0);
}
