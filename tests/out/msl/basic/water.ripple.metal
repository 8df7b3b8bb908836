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

struct RippleInput {
    float2 place [[attribute(0)]];
};

struct RippleOutput {
    float4 position [[position]];
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
};

vertex RippleOutput ripple(
    RippleInput in [[stage_in]],
    constant Frame& frame [[buffer(0)]],
    constant Water& water [[buffer(1)]]
) {
    float3 world = float3(in.place.x, 0.0, in.place.y);
    float3 tangent = float3(1.0, 0.0, 0.0);
    float3 bitangent = float3(0.0, 0.0, 1.0);
    for (int i = 0; i < 4; i++) {
        float2 d = normalize(water.waves[i].direction);
        float k = 6.2831855 / water.waves[i].wavelength;
        float phase = k * (dot(d, in.place) - sqrt(9.81 / k) * frame.time);
        float c = water.waves[i].steepness * cos(phase);
        float d_x_times_c = d.x * c;
        float s = water.waves[i].steepness * sin(phase);
        float d_y_times_c = d.y * c;
        world += float3(d_x_times_c, s, d_y_times_c) / k;
        float minus_d_x = -d.x;
        float product = minus_d_x * d.y * s;
        tangent += float3(minus_d_x * d.x * s, d_x_times_c, product);
        bitangent += float3(product, d_y_times_c, -d.y * d.y * s);
    }
    RippleOutput out;
    out.position = frame.view_proj * float4(world, 1.0);
    out.world = world;
    out.normal = normalize(cross(bitangent, tangent));
    return out;
}
