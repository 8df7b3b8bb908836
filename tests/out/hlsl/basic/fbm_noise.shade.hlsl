// dxc -T ps_6_2 -E shade -HV 2021

struct Noise {
    float2 offset;
    float scale;
};

ConstantBuffer<Noise> noise_1 : register(b0);

float hash(float2 p) {
    return frac(sin(dot(p, float2(127.1, 311.7))) * 43758.547);
}

float value_noise(float2 p) {
    float2 i = floor(p);
    float2 f = frac(p);
    float2 u = f * f * (3.0 - 2.0 * f);
    float a = hash(i);
    float b = hash(i + float2(1.0, 0.0));
    float c = hash(i + float2(0.0, 1.0));
    float d = hash(i + 1.0);
    return lerp(lerp(a, b, u.x), lerp(c, d, u.x), u.y);
}

float fbm(float2 start) {
    float sum = 0.0;
    float2 p = start;
    float amplitude = 0.5;
    for (int i = 0; i < 5; i++) {
        sum += amplitude * value_noise(p);
        p *= 2.0;
        amplitude *= 0.5;
    }
    return sum;
}

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float value = fbm(uv * noise_1.scale + noise_1.offset);
    return float4(lerp(float3(0.1, 0.2, 0.4), float3(0.9, 0.9, 1.0), value), 1.0);
}
