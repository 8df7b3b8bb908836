#include <metal_stdlib>

using namespace metal;

struct Blur {
    float2 direction;
    float sigma;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Blur& blur [[buffer(0)]],
    texture2d<float> source_tex [[texture(0)]],
    sampler source_samp [[sampler(0)]]
) {
    float quotient = -0.5 / (blur.sigma * blur.sigma);
    float4 sum = float4(0.0);
    float total = 0.0;
    for (int i = -4; i < 5; i++) {
        float x = float(i);
        float weight = exp(quotient * (x * x));
        sum += source_tex.sample(source_samp, in.uv + blur.direction * x) * weight;
        total += weight;
    }
    return sum * (1.0 / total);
}
