#include <metal_stdlib>

using namespace metal;

struct Lens {
    float2 texel;
    float focal_length;
    float aperture;
    float focus;
    float max_radius;
    float near;
    float far;
};

struct ConfuseInput {
    float2 uv [[user(locn0)]];
};

static float linear_depth(float depth, constant Lens& lens) {
    return lens.near * lens.far / (lens.far - depth * (lens.far - lens.near));
}

static float circle_of_confusion(float distance_, constant Lens& lens) {
    float f = lens.focal_length;
    float blur = lens.aperture * f * (distance_ - lens.focus) / (distance_ * (lens.focus - f));
    return clamp(blur, -1.0, 1.0) * lens.max_radius;
}

fragment float4 confuse(
    ConfuseInput in [[stage_in]],
    constant Lens& lens [[buffer(0)]],
    texture2d<float> colors_tex [[texture(0)]],
    sampler colors_samp [[sampler(0)]],
    texture2d<float> depths_tex [[texture(1)]],
    sampler depths_samp [[sampler(1)]]
) {
    float depth = linear_depth(depths_tex.sample(depths_samp, in.uv).x, lens);
    return float4(colors_tex.sample(colors_samp, in.uv).xyz, circle_of_confusion(depth, lens));
}
