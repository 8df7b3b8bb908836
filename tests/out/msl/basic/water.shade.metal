#include <metal_stdlib>

using namespace metal;

struct Frame {
    float4x4 view_proj;
    packed_float3 eye;
    float time;
};

struct Wave {
    float2 direction;
    float steepness;
    float wavelength;
};

struct Water {
    Wave waves[4];
    float3 deep;
    float3 shallow;
};

struct ShadeInput {
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Frame& frame [[buffer(0)]],
    constant Water& water [[buffer(1)]],
    texturecube<float> sky_tex [[texture(0)]],
    sampler sky_samp [[sampler(0)]]
) {
    float3 normal = normalize(in.normal);
    float3 view = normalize(float3(frame.eye) - in.world);
    float facing = saturate(dot(normal, view));
    float fresnel = 0.02 + 0.98 * powr(1.0 - facing, 5.0);
    float3 mirrored = sky_tex.sample(sky_samp, reflect(-view, normal)).xyz;
    float3 body = mix(water.shallow, water.deep, float3(facing));
    return float4(mix(body, mirrored, float3(fresnel)), 1.0);
}
