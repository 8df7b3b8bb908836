#include <metal_stdlib>

using namespace metal;

struct Noise {
    float2 offset;
    float scale;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

static float hash(float2 p) {
    return fract(sin(dot(p, float2(127.1, 311.7))) * 43758.547);
}

static float value_noise(float2 p) {
    float2 i = floor(p);
    float2 f = fract(p);
    float2 u = f * f * (3.0 - 2.0 * f);
    float a = hash(i);
    float b = hash(i + float2(1.0, 0.0));
    float c = hash(i + float2(0.0, 1.0));
    float d = hash(i + 1.0);
    return mix(mix(a, b, u.x), mix(c, d, u.x), u.y);
}

static float fbm(float2 start) {
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

fragment float4 shade(ShadeInput in [[stage_in]], constant Noise& noise [[buffer(0)]]) {
    float value = fbm(in.uv * noise.scale + noise.offset);
    return float4(mix(float3(0.1, 0.2, 0.4), float3(0.9, 0.9, 1.0), float3(value)), 1.0);
}
