#include <metal_stdlib>

using namespace metal;

struct Noise {
    float2 offset;
    float scale;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

fragment float4 shade(ShadeInput in [[stage_in]], constant Noise& noise [[buffer(0)]]) {
    float sum = 0.0;
    float2 p = in.uv * noise.scale + noise.offset;
    float amplitude = 0.5;
    for (int i = 0; i < 5; i++) {
        float2 i_1 = floor(p);
        float a = fract(sin(dot(i_1, float2(127.1, 311.7))) * 43758.547);
        float b = fract(sin(dot(i_1 + float2(1.0, 0.0), float2(127.1, 311.7))) * 43758.547);
        float2 f = fract(p);
        float2 u = f * f * (3.0 - 2.0 * f);
        float c = fract(sin(dot(i_1 + float2(0.0, 1.0), float2(127.1, 311.7))) * 43758.547);
        float d = fract(sin(dot(i_1 + 1.0, float2(127.1, 311.7))) * 43758.547);
        sum += amplitude * mix(mix(a, b, u.x), mix(c, d, u.x), u.y);
        p *= 2.0;
        amplitude *= 0.5;
    }
    return float4(0.1 + sum * 0.79999995, 0.2 + sum * 0.7, 0.4 + sum * 0.6, 1.0);
}
