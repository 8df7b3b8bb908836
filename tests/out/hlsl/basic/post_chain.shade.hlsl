// dxc -T ps_6_2 -E shade -HV 2021

struct Post {
    float2 texel;
    float distortion;
    float aberration;
    float sharpness;
    float bloom;
    float exposure;
    float contrast;
    float3 tint;
    float vignette;
    float grain;
    float time;
};

ConstantBuffer<Post> post : register(b0);

Texture2D scene_tex : register(t1);
SamplerState scene_samp : register(s2);
Texture2D glow_tex : register(t3);
SamplerState glow_samp : register(s4);

float2 distort(float2 uv) {
    float2 centered = uv - 0.5;
    float r2 = dot(centered, centered);
    return 0.5 + centered * (1.0 + post.distortion * r2);
}

float3 fetch(float2 uv) {
    float2 away = (uv - 0.5) * post.aberration;
    float r = scene_tex.SampleLevel(scene_samp, uv + away, 0.0).x;
    float g = scene_tex.SampleLevel(scene_samp, uv, 0.0).y;
    float b = scene_tex.SampleLevel(scene_samp, uv - away, 0.0).z;
    return float3(r, g, b);
}

float3 sharpen(float2 uv) {
    float3 center = fetch(uv);
    float2 value = float2(post.texel.x, 0.0);
    float3 left = scene_tex.SampleLevel(scene_samp, uv - value, 0.0).xyz;
    float3 right = scene_tex.SampleLevel(scene_samp, uv + value, 0.0).xyz;
    float2 value_1 = float2(0.0, post.texel.y);
    float3 below = scene_tex.SampleLevel(scene_samp, uv - value_1, 0.0).xyz;
    float3 above = scene_tex.SampleLevel(scene_samp, uv + value_1, 0.0).xyz;
    float3 blurred = (left + right + below + above) * 0.25;
    return max(center + (center - blurred) * post.sharpness, 0.0);
}

float3 film_curve(float3 x) {
    float3 product = 0.15 * x;
    return (x * (product + 0.05) + 0.004) / (x * (product + 0.5) + 0.060000002) - 0.06666666;
}

float3 film(float3 color) {
    float3 white = film_curve((float3)11.2);
    return film_curve(color * 2.0) / white;
}

float grain(float2 place, float seed) {
    uint n = uint(place.x) * 1664525u + uint(place.y) * 22695477u + uint(seed * 1000.0);
    n = (n ^ (n >> 16u)) * 73244475u;
    n = (n ^ (n >> 16u)) * 73244475u;
    n ^= n >> 16u;
    return float(n & 65535u) / 65535.0 - 0.5;
}

float4 shade(float2 uv : TEXCOORD0, float4 pixel : SV_Position) : SV_Target0 {
    float2 at = distort(uv);
    float3 color = sharpen(at);
    color = lerp(color, glow_tex.SampleLevel(glow_samp, at, 0.0).xyz, post.bloom);
    color *= exp2(post.exposure);
    color = film(color) * post.tint;
    color = (color - 0.5) * post.contrast + 0.5;
    float2 corner = (uv - 0.5) * 2.0;
    color *= lerp(1.0, 1.0 - smoothstep(0.3, 1.6, length(corner)), post.vignette);
    color += grain(pixel.xy, post.time) * post.grain;
    color = saturate(color);
    return float4(pow(color, 0.45454544), 1.0);
}
