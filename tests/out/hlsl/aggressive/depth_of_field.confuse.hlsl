// dxc -T ps_6_2 -E confuse -HV 2021

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
Texture2D depths_tex : register(t3);
SamplerState depths_samp : register(s4);

float4 confuse(float2 uv : TEXCOORD0) : SV_Target0 {
    float depth = lens.near * lens.far
        / lerp(lens.far, lens.near, depths_tex.Sample(depths_samp, uv).x);
    float f = lens.focal_length;
    float blur = lens.aperture * f * (depth - lens.focus) / (depth * (lens.focus - f));
    return float4(colors_tex.Sample(colors_samp, uv).xyz, clamp(blur, -1.0, 1.0) * lens.max_radius);
}
