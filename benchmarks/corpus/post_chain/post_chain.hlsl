// dxc -T ps_6_2 -E shade -HV 2021
// The end of a frame in one pass: lens distortion, chromatic aberration, sharpening, bloom,
// exposure, a filmic curve, contrast, vignette, grain and gamma.

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

ConstantBuffer<Post> post : register(b0, space0);

Texture2D scene : register(t1, space0);
SamplerState scene_samp : register(s2, space0);
Texture2D glow : register(t3, space0);
SamplerState glow_samp : register(s4, space0);

float2 distort(float2 uv) {
    float2 centered = uv - 0.5;
    float r2 = dot(centered, centered);
    return 0.5 + centered * (1.0 + post.distortion * r2);
}

float3 fetch(float2 uv) {
    float2 away = (uv - 0.5) * post.aberration;
    float r = scene.SampleLevel(scene_samp, uv + away, 0.0).r;
    float g = scene.SampleLevel(scene_samp, uv, 0.0).g;
    float b = scene.SampleLevel(scene_samp, uv - away, 0.0).b;
    return float3(r, g, b);
}

float3 sharpen(float2 uv) {
    float3 center = fetch(uv);
    float3 left = scene.SampleLevel(scene_samp, uv - float2(post.texel.x, 0.0), 0.0).rgb;
    float3 right = scene.SampleLevel(scene_samp, uv + float2(post.texel.x, 0.0), 0.0).rgb;
    float3 below = scene.SampleLevel(scene_samp, uv - float2(0.0, post.texel.y), 0.0).rgb;
    float3 above = scene.SampleLevel(scene_samp, uv + float2(0.0, post.texel.y), 0.0).rgb;
    float3 blurred = (left + right + below + above) * 0.25;
    return max(center + (center - blurred) * post.sharpness, 0.0);
}

// A rational fit of a film's response with a white point of 11.2.
float3 film_curve(float3 x) {
    float a = 0.15;
    float b = 0.50;
    float c = 0.10;
    float d = 0.20;
    float e = 0.02;
    float f = 0.30;
    return ((x * (a * x + c * b) + d * e) / (x * (a * x + b) + d * f)) - e / f;
}

float3 film(float3 color) {
    float3 white = film_curve(11.2);
    return film_curve(color * 2.0) / white;
}

// Noise from the pixel's place by integers only.
float grain(float2 place, float seed) {
    uint n = uint(place.x) * 1664525u + uint(place.y) * 22695477u + uint(seed * 1000.0);
    n = (n ^ (n >> 16)) * 73244475u;
    n = (n ^ (n >> 16)) * 73244475u;
    n = n ^ (n >> 16);
    return float(n & 65535u) / 65535.0 - 0.5;
}

float4 shade(float4 pixel : SV_Position, float2 uv : TEXCOORD0) : SV_Target0 {
    float2 at = distort(uv);
    float3 color = sharpen(at);
    color = lerp(color, glow.SampleLevel(glow_samp, at, 0.0).rgb, post.bloom);
    color *= exp2(post.exposure);
    color = film(color) * post.tint;
    color = (color - 0.5) * post.contrast + 0.5;
    float2 corner = (uv - 0.5) * 2.0;
    color *= lerp(1.0, 1.0 - smoothstep(0.3, 1.6, length(corner)), post.vignette);
    color += grain(pixel.xy, post.time) * post.grain;
    color = saturate(color);
    return float4(pow(color, 1.0 / 2.2), 1.0);
}
