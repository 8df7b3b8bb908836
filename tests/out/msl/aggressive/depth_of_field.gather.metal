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

struct GatherInput {
    float2 uv [[user(locn0)]];
};

fragment float4 gather(
    GatherInput in [[stage_in]],
    constant Lens& lens [[buffer(0)]],
    texture2d<float> colors_tex [[texture(0)]],
    sampler colors_samp [[sampler(0)]]
) {
    float4 center = colors_tex.sample(colors_samp, in.uv);
    float2 product = lens.texel * lens.max_radius;
    float product_1 = abs(center.w) * 2.0;
    float3 sum = center.xyz;
    float total = 1.0;
    for (int i = 1; i < 32; i++) {
        float i_float = float(i);
        float angle = i_float * 2.3999631;
        float root = sqrt(i_float * 0.03125);
        float4 found = colors_tex.sample(colors_samp,
            in.uv + product * float2(cos(angle), sin(angle)) * root, level(0.0));
        float reach = lens.max_radius * root;
        float size = found.w;
        float weight = smoothstep(reach - 0.5, reach + 0.5,
            abs(size > center.w ? clamp(size, 0.0, product_1) : size));
        sum += mix(sum * (1.0 / total), found.xyz, float3(weight));
        total += 1.0;
    }
    return float4(sum * (1.0 / total), 1.0);
}
