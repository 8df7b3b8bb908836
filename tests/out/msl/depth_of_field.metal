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

struct FullscreenOutput {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
};

struct ConfuseInput {
    float2 uv [[user(locn0)]];
};

struct ConfuseOutput {
    float4 color [[color(0)]];
};

struct GatherInput {
    float2 uv [[user(locn0)]];
};

struct GatherOutput {
    float4 color [[color(0)]];
};

vertex FullscreenOutput fullscreen(uint index [[vertex_id]]) {
    float2 corner = float2(float((int(index) << 1) & 2), float(int(index) & 2));
    FullscreenOutput out;
    out.position = float4(corner * 2.0 - 1.0, 0.0, 1.0);
    out.uv = corner;
    return out;
}

static float linear_depth(float depth, constant Lens& lens) {
    return lens.near * lens.far / (lens.far - depth * (lens.far - lens.near));
}

static float circle_of_confusion(float distance_, constant Lens& lens) {
    float f = lens.focal_length;
    float blur = lens.aperture * f * (distance_ - lens.focus) / (distance_ * (lens.focus - f));
    return clamp(blur, -1.0, 1.0) * lens.max_radius;
}

fragment ConfuseOutput confuse(
    ConfuseInput in [[stage_in]],
    constant Lens& lens [[buffer(0)]],
    texture2d<float> colors_tex [[texture(0)]],
    sampler colors_samp [[sampler(0)]],
    texture2d<float> depths_tex [[texture(1)]],
    sampler depths_samp [[sampler(1)]]
) {
    float depth = linear_depth(depths_tex.sample(depths_samp, in.uv).x, lens);
    return {float4(colors_tex.sample(colors_samp, in.uv).xyz, circle_of_confusion(depth, lens))};
}

fragment GatherOutput gather(
    GatherInput in [[stage_in]],
    constant Lens& lens [[buffer(0)]],
    texture2d<float> colors_tex [[texture(0)]],
    sampler colors_samp [[sampler(0)]]
) {
    float4 center = colors_tex.sample(colors_samp, in.uv);
    float3 sum = center.xyz;
    float total = 1.0;
    for (int i = 1; i < 32; i++) {
        float angle = float(i) * 2.3999631;
        float reach = lens.max_radius * sqrt(float(i) / float(32));
        float2 offset = float2(cos(angle), sin(angle)) * reach;
        float4 found = colors_tex.sample(colors_samp, in.uv + offset * lens.texel, level(0.0));
        float size = found.w;
        if (found.w > center.w) {
            size = clamp(found.w, 0.0, abs(center.w) * 2.0);
        }
        float weight = smoothstep(reach - 0.5, reach + 0.5, abs(size));
        sum += mix(sum / total, found.xyz, float3(weight));
        total += 1.0;
    }
    return {float4(sum / total, 1.0)};
}
