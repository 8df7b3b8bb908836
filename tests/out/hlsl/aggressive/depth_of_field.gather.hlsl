// dxc -T ps_6_2 -E gather -HV 2021

struct Lens {
    float2 texel;
    float focal_length;
    float aperture;
    float focus;
    float max_radius;
    float near;
    float far;
};

ConstantBuffer<Lens> lens : register(b0);

Texture2D colors_tex : register(t1);
SamplerState colors_samp : register(s2);

float4 gather(float2 uv : TEXCOORD0) : SV_Target0 {
    float4 center = colors_tex.Sample(colors_samp, uv);
    float2 product = lens.texel * lens.max_radius;
    float product_1 = abs(center.w) * 2.0;
    float3 sum = center.xyz;
    float total = 1.0;
    for (int i = 1; i < 32; i++) {
        float i_float = float(i);
        float angle = i_float * 2.3999631;
        float root = sqrt(i_float * 0.03125);
        float4 found = colors_tex.SampleLevel(colors_samp,
            uv + product * float2(cos(angle), sin(angle)) * root, 0.0);
        float reach = lens.max_radius * root;
        float size = found.w;
        float weight = smoothstep(reach - 0.5, reach + 0.5,
            abs(size > center.w ? clamp(size, 0.0, product_1) : size));
        sum += lerp(sum * (1.0 / total), found.xyz, weight);
        total += 1.0;
    }
    return float4(sum * (1.0 / total), 1.0);
}
