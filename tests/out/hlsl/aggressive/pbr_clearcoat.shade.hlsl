// dxc -T ps_6_2 -E shade -HV 2021

struct Light {
    float3 direction;
    float intensity;
    float3 color;
    float pad_0;
};

struct Scene {
    Light lights[3];
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

float d_ggx(float n_dot_h, float roughness) {
    float a = roughness * roughness;
    float a2 = a * a;
    float f = (n_dot_h * a2 - n_dot_h) * n_dot_h + 1.0;
    return a2 / (3.1415927 * f * f);
}

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1, float4 tangent : TEXCOORD2,
    float2 uv : TEXCOORD3) : SV_Target0 {
    float3 coat_n = normalize(normal);
    float3 t = normalize(tangent.xyz);
    float3 b = normalize(cross(coat_n, t)) * tangent.w;
    float3 flake = flakes_tex.Sample(flakes_samp, uv * 4.0).xyz * 2.0 - 1.0;
    float3 n = normalize(mul(normalize(flake), float3x3(t, b, coat_n)));
    float3 v = normalize(scene.camera - world);
    float one_minus_metallic = 1.0 - material.metallic;
    float3 diffuse = material.base_color * one_minus_metallic;
    float3 f0 = lerp((float3)0.04, material.base_color, material.metallic);
    float3 color = scene.ambient * (diffuse + f0);
    float dot_n_v = dot(n, v);
    float product = dot(normal, v) * rsqrt(dot(normal, normal));
    float3 product_1 = material.base_color * (one_minus_metallic * 0.31830987);
    float n_dot_v = abs(dot_n_v) + 0.00001;
    float a = material.roughness * material.roughness;
    float a2 = a * a;
    float one_minus_a2 = 1.0 - a2;
    float root = sqrt(n_dot_v * n_dot_v * one_minus_a2 + a2);
    float3 one_minus_f0 = 1.0 - f0;
    for (int i = 0; i < 3; i++) {
        float3 unit_direction = normalize(scene.lights[i].direction);
        float3 l = -unit_direction;
        float dot_n_l = dot(n, l);
        float dot_unit_direction_v = dot(unit_direction, v);
        float value = rsqrt(2.0 - 2.0 * dot_unit_direction_v);
        float n_dot_h = saturate((dot_n_v + dot_n_l) * value);
        float d = d_ggx(n_dot_h, material.roughness);
        float dot_coat_n_l = dot(coat_n, l);
        float coat_n_dot_h = saturate((product + dot_coat_n_l) * value);
        float coat_d = d_ggx(coat_n_dot_h, material.clearcoat_roughness);
        float n_dot_l = saturate(dot_n_l);
        float ggx_v = n_dot_l * root;
        float ggx_l = n_dot_v * sqrt(n_dot_l * n_dot_l * one_minus_a2 + a2);
        float vis = 0.5 / (0.00001 + ggx_v + ggx_l);
        float l_dot_h = clamp((1.0 - dot_unit_direction_v) * value, 0.001, 1.0);
        float difference = 1.0 - l_dot_h;
        float product_2 = difference * difference;
        float product_3 = product_2 * product_2 * difference;
        float3 f = f0 + one_minus_f0 * product_3;
        float3 specular = d * vis * f;
        float sum = 0.04 + 0.96 * product_3;
        float coat_f = sum * material.clearcoat;
        float one_minus_coat_f = 1.0 - coat_f;
        float coat_n_dot_l = saturate(dot_coat_n_l);
        color += scene.lights[i].color
            * ((product_1 + specular)
                * (n_dot_l * (one_minus_coat_f * one_minus_coat_f) * scene.lights[i].intensity)
                + material.clearcoat * coat_n_dot_l * coat_d * sum * 0.25 / (l_dot_h * l_dot_h)
                * scene.lights[i].intensity);
    }
    return float4(color, 1.0);
}
