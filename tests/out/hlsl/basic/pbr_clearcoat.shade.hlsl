// dxc -T ps_6_2 -E shade -HV 2021

struct Surface {
    float3 world;
    float3 normal;
    float4 tangent;
    float2 uv;
};

struct Light {
    float3 direction;
    float intensity;
    float3 color;
};

struct LightBlock {
    float3 direction;
    float intensity;
    float3 color;
    float pad_0;
};

struct Scene {
    LightBlock lights[3];
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

ConstantBuffer<Scene> scene : register(b0);

ConstantBuffer<Material> material : register(b0, space1);

Texture2D flakes_tex : register(t1, space1);
SamplerState flakes_samp : register(s2, space1);

Light make_Light(float3 direction, float intensity, float3 color) {
    Light made = { direction, intensity, color };
    return made;
}

float d_ggx(float n_dot_h, float roughness) {
    float a = roughness * roughness;
    float f = (n_dot_h * a * a - n_dot_h) * n_dot_h + 1.0;
    return a * a / (3.1415927 * f * f);
}

float v_smith(float n_dot_v, float n_dot_l, float roughness) {
    float a = roughness * roughness;
    float a2 = a * a;
    float one_minus_a2 = 1.0 - a2;
    float ggx_v = n_dot_l * sqrt(n_dot_v * n_dot_v * one_minus_a2 + a2);
    float ggx_l = n_dot_v * sqrt(n_dot_l * n_dot_l * one_minus_a2 + a2);
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

float3 flake_normal(Surface surface, float3 n) {
    float3 t = normalize(surface.tangent.xyz);
    float3 b = normalize(cross(n, t)) * surface.tangent.w;
    float3 flake = flakes_tex.Sample(flakes_samp, surface.uv * 4.0).xyz * 2.0 - 1.0;
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
    float3 base = (diffuse / 3.1415927 + specular) * n_dot_l;
    float coat_n_dot_h = saturate(dot(coat_n, h));
    float coat_n_dot_l = saturate(dot(coat_n, l));
    float coat_d = d_ggx(coat_n_dot_h, material.clearcoat_roughness);
    float coat_f = f_schlick_coat(l_dot_h) * material.clearcoat;
    float coat = coat_d * v_kelemen(l_dot_h) * coat_f;
    float3 one_minus_coat_f = (float3)(1.0 - coat_f);
    float3 color = base * one_minus_coat_f * one_minus_coat_f + coat * coat_n_dot_l;
    return color * light.color * light.intensity;
}

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1, float4 tangent : TEXCOORD2,
    float2 uv : TEXCOORD3) : SV_Target0 {
    Surface surface = { world, normal, tangent, uv };
    float3 coat_n = normalize(normal);
    float3 n = flake_normal(surface, coat_n);
    float3 v = normalize(scene.camera - world);
    float3 diffuse = material.base_color * (1.0 - material.metallic);
    float3 f0 = lerp((float3)0.04, material.base_color, material.metallic);
    float3 color = scene.ambient * (diffuse + f0);
    for (int i = 0; i < 3; i++) {
        color += shine(make_Light(scene.lights[i].direction, scene.lights[i].intensity,
            scene.lights[i].color), n, coat_n, v, diffuse, f0);
    }
    return float4(color, 1.0);
}
