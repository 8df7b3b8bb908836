// dxc -T ps_6_2 -E shade -HV 2021

struct Noise {
    float2 offset;
    float scale;
};

ConstantBuffer<Noise> noise_1 : register(b0);

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float sum = 0.0;
    float2 p = uv * noise_1.scale + noise_1.offset;
    float amplitude = 0.5;
    for (int i = 0; i < 5; i++) {
        float2 i_1 = floor(p);
        float a = frac(sin(dot(i_1, float2(127.1, 311.7))) * 43758.547);
        float b = frac(sin(dot(i_1 + float2(1.0, 0.0), float2(127.1, 311.7))) * 43758.547);
        float2 f = frac(p);
        float2 u = f * f * (3.0 - 2.0 * f);
        float c = frac(sin(dot(i_1 + float2(0.0, 1.0), float2(127.1, 311.7))) * 43758.547);
        float d = frac(sin(dot(i_1 + 1.0, float2(127.1, 311.7))) * 43758.547);
        sum += amplitude * lerp(lerp(a, b, u.x), lerp(c, d, u.x), u.y);
        p *= 2.0;
        amplitude *= 0.5;
    }
    return float4(0.1 + sum * 0.79999995, 0.2 + sum * 0.7, 0.4 + sum * 0.6, 1.0);
}
