#include <metal_stdlib>

using namespace metal;

struct Camera {
    float4x4 inverse_view_proj;
    packed_float3 fog;
    float density;
};

struct ShadeInput {
    float3 direction [[user(locn0)]];
};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Camera& camera [[buffer(0)]],
    texturecube<float> sky_tex [[texture(0)]],
    sampler sky_samp [[sampler(0)]]
) {
    float3 direction = normalize(in.direction);
    float fog = exp(-camera.density * max(direction.y, 0.0));
    return float4(mix(sky_tex.sample(sky_samp, direction).xyz, float3(camera.fog), float3(fog)),
        1.0);
}
