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

struct ShadeInput {
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
};

struct ShadeOutput {
    float4 color [[color(0)]];
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
        Wave wave = water.waves[i];
        float k = 6.2831855 / wave.wavelength;
        float2 d = normalize(wave.direction);
        float phase = k * (dot(d, in.place) - sqrt(9.81 / k) * frame.time);
        float s = wave.steepness * sin(phase);
        float c = wave.steepness * cos(phase);
        world += float3(d.x * c, s, d.y * c) / k;
        tangent += float3(-d.x * d.x * s, d.x * c, -d.x * d.y * s);
        bitangent += float3(-d.x * d.y * s, d.y * c, -d.y * d.y * s);
    }
    RippleOutput out;
    out.position = frame.view_proj * float4(world, 1.0);
    out.world = world;
    out.normal = normalize(cross(bitangent, tangent));
    return out;
}

fragment ShadeOutput shade(
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
    return {float4(mix(body, mirrored, float3(fresnel)), 1.0)};
}
