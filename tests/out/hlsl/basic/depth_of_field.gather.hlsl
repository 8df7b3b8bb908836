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
    float product = abs(center.w) * 2.0;
    float3 sum = center.xyz;
    float total = 1.0;
    for (int i = 1; i < 32; i++) {
        float3 quotient = sum / total;
        float i_float = float(i);
        float angle = i_float * 2.3999631;
        float reach = lens.max_radius * sqrt(i_float * 0.03125);
        float2 offset = float2(cos(angle), sin(angle)) * reach;
        float4 found = colors_tex.SampleLevel(colors_samp, uv + offset * lens.texel, 0.0);
        float size = found.w;
        if (size > center.w) {
            size = clamp(size, 0.0, product);
        }
        float weight = smoothstep(reach - 0.5, reach + 0.5, abs(size));
        sum += lerp(quotient, found.xyz, weight);
        total += 1.0;
    }
    return float4(sum / total, 1.0);
}
