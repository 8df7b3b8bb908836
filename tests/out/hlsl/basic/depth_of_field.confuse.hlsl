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

float linear_depth(float depth) {
    return lens.near * lens.far / (lens.far - depth * (lens.far - lens.near));
}

float circle_of_confusion(float distance_) {
    float f = lens.focal_length;
    float blur = lens.aperture * f * (distance_ - lens.focus) / (distance_ * (lens.focus - f));
    return clamp(blur, -1.0, 1.0) * lens.max_radius;
}

float4 confuse(float2 uv : TEXCOORD0) : SV_Target0 {
    float depth = linear_depth(depths_tex.Sample(depths_samp, uv).x);
    return float4(colors_tex.Sample(colors_samp, uv).xyz, circle_of_confusion(depth));
}
