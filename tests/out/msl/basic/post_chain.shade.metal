#include <metal_stdlib>

using namespace metal;

struct alignas(16) Post {
    float2 texel;
    float distortion;
    float aberration;
    float sharpness;
    float bloom;
    float exposure;
    float contrast;
    packed_float3 tint;
    float vignette;
    float grain;
    float time;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

static float2 distort(float2 uv, constant Post& post) {
    float2 centered = uv - 0.5;
    float r2 = dot(centered, centered);
    return 0.5 + centered * (1.0 + post.distortion * r2);
}

static float3 fetch(float2 uv, constant Post& post, texture2d<float> scene_tex,
    sampler scene_samp) {
    float2 away = (uv - 0.5) * post.aberration;
    float r = scene_tex.sample(scene_samp, uv + away, level(0.0)).x;
    float g = scene_tex.sample(scene_samp, uv, level(0.0)).y;
    float b = scene_tex.sample(scene_samp, uv - away, level(0.0)).z;
    return float3(r, g, b);
}

static float3 sharpen(float2 uv, constant Post& post, texture2d<float> scene_tex,
    sampler scene_samp) {
    float3 center = fetch(uv, post, scene_tex, scene_samp);
    float2 value = float2(post.texel.x, 0.0);
    float3 left = scene_tex.sample(scene_samp, uv - value, level(0.0)).xyz;
    float3 right = scene_tex.sample(scene_samp, uv + value, level(0.0)).xyz;
    float2 value_1 = float2(0.0, post.texel.y);
    float3 below = scene_tex.sample(scene_samp, uv - value_1, level(0.0)).xyz;
    float3 above = scene_tex.sample(scene_samp, uv + value_1, level(0.0)).xyz;
    float3 blurred = (left + right + below + above) * 0.25;
    return max(center + (center - blurred) * post.sharpness, float3(0.0));
}

static float3 film_curve(float3 x) {
    float3 product = 0.15 * x;
    return (x * (product + 0.05) + 0.004) / (x * (product + 0.5) + 0.060000002) - 0.06666666;
}

static float3 film(float3 color) {
    float3 white = film_curve(float3(11.2));
    return film_curve(color * 2.0) / white;
}

static float grain(float2 place, float seed) {
    uint n = uint(place.x) * 1664525u + uint(place.y) * 22695477u + uint(seed * 1000.0);
    n = (n ^ (n >> 16u)) * 73244475u;
    n = (n ^ (n >> 16u)) * 73244475u;
    n ^= n >> 16u;
    return float(n & 65535u) / 65535.0 - 0.5;
}

fragment float4 shade(
    ShadeInput in [[stage_in]],
    float4 pixel [[position]],
    constant Post& post [[buffer(0)]],
    texture2d<float> scene_tex [[texture(0)]],
    sampler scene_samp [[sampler(0)]],
    texture2d<float> glow_tex [[texture(1)]],
    sampler glow_samp [[sampler(1)]]
) {
    float2 at = distort(in.uv, post);
    float3 color = sharpen(at, post, scene_tex, scene_samp);
    color = mix(color, glow_tex.sample(glow_samp, at, level(0.0)).xyz, float3(post.bloom));
    color *= exp2(post.exposure);
    color = film(color) * float3(post.tint);
    color = (color - 0.5) * post.contrast + 0.5;
    float2 corner = (in.uv - 0.5) * 2.0;
    color *= mix(1.0, 1.0 - smoothstep(0.3, 1.6, length(corner)), post.vignette);
    color += grain(pixel.xy, post.time) * post.grain;
    color = saturate(color);
    return float4(powr(color, float3(0.45454544)), 1.0);
}
