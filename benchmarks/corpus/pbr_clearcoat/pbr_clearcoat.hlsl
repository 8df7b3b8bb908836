// dxc -T ps_6_2 -E shade -HV 2021
// Lacquered metal: a base layer (GGX) under a clear coat with a lobe of its own, three lamps.

static const float PI = 3.14159265359;
static const int LIGHTS = 3;

struct Light {
    float3 direction;
    float intensity;
    float3 color;
};

struct Scene {
    Light lights[LIGHTS];
    float3 camera;
    float3 ambient;
};

struct Material {
    float3 base_color;
    float roughness;
    float metallic;
    float clearcoat;
    float clearcoat_roughness;
};

ConstantBuffer<Scene> scene : register(b0, space0);
ConstantBuffer<Material> material : register(b0, space1);

Texture2D flakes : register(t1, space1);
SamplerState flakes_samp : register(s2, space1);

float d_ggx(float n_dot_h, float roughness) {
    float a = roughness * roughness;
    float f = (n_dot_h * a * a - n_dot_h) * n_dot_h + 1.0;
    return a * a / (PI * f * f);
}

float v_smith(float n_dot_v, float n_dot_l, float roughness) {
    float a = roughness * roughness;
    float a2 = a * a;
    float ggx_v = n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - a2) + a2);
    float ggx_l = n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - a2) + a2);
    return 0.5 / (ggx_v + ggx_l + 0.00001);
}

float v_kelemen(float l_dot_h) {
    return 0.25 / (l_dot_h * l_dot_h);
}

float3 f_schlick(float3 f0, float cos_theta) {
    return f0 + (1.0 - f0) * pow(1.0 - cos_theta, 5.0);
}

float f_schlick_coat(float cos_theta) {
    return 0.04 + 0.96 * pow(1.0 - cos_theta, 5.0);
}

float3 flake_normal(float3 n, float4 tangent, float2 uv) {
    float3 t = normalize(tangent.xyz);
    float3 b = normalize(cross(n, t)) * tangent.w;
    float3 flake = flakes.Sample(flakes_samp, uv * 4.0).xyz * 2.0 - 1.0;
    return normalize(mul(normalize(flake), float3x3(t, b, n)));
}

float3 shine(Light light, float3 n, float3 coat_n, float3 v, float3 diffuse, float3 f0) {
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
    float3 base = (diffuse / PI + specular) * n_dot_l;

    float coat_n_dot_h = saturate(dot(coat_n, h));
    float coat_n_dot_l = saturate(dot(coat_n, l));
    float coat_d = d_ggx(coat_n_dot_h, material.clearcoat_roughness);
    float coat_f = f_schlick_coat(l_dot_h) * material.clearcoat;
    float coat = coat_d * v_kelemen(l_dot_h) * coat_f;
    float3 color = base * (1.0 - coat_f) * (1.0 - coat_f) + coat * coat_n_dot_l;
    return color * light.color * light.intensity;
}

float4 shade(
    float3 world : TEXCOORD0, float3 normal : TEXCOORD1, float4 tangent : TEXCOORD2,
    float2 uv : TEXCOORD3
) : SV_Target0 {
    float3 coat_n = normalize(normal);
    float3 n = flake_normal(coat_n, tangent, uv);
    float3 v = normalize(scene.camera - world);
    float3 diffuse = material.base_color * (1.0 - material.metallic);
    float3 f0 = lerp(0.04, material.base_color, material.metallic);

    float3 color = scene.ambient * (diffuse + f0);
    for (int i = 0; i < LIGHTS; i++) {
        color += shine(scene.lights[i], n, coat_n, v, diffuse, f0);
    }
    return float4(color, 1.0);
}
