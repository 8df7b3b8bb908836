#version 450
// The end of a frame in one pass: lens distortion, chromatic aberration, sharpening, bloom,
// exposure, a filmic curve, contrast, vignette, grain and gamma.

layout(set = 0, binding = 0, std140) uniform Post {
    vec2 texel;
    float distortion;
    float aberration;
    float sharpness;
    float bloom;
    float exposure;
    float contrast;
    vec3 tint;
    float vignette;
    float grain;
    float time;
} post;

layout(set = 0, binding = 1) uniform texture2D scene;
layout(set = 0, binding = 2) uniform sampler scene_samp;
layout(set = 0, binding = 3) uniform texture2D glow;
layout(set = 0, binding = 4) uniform sampler glow_samp;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

vec2 distort(vec2 uv) {
    vec2 centered = uv - vec2(0.5);
    float r2 = dot(centered, centered);
    return vec2(0.5) + centered * (1.0 + post.distortion * r2);
}

vec3 fetch(vec2 uv) {
    vec2 away = (uv - vec2(0.5)) * post.aberration;
    float r = textureLod(sampler2D(scene, scene_samp), uv + away, 0.0).r;
    float g = textureLod(sampler2D(scene, scene_samp), uv, 0.0).g;
    float b = textureLod(sampler2D(scene, scene_samp), uv - away, 0.0).b;
    return vec3(r, g, b);
}

vec3 sharpen(vec2 uv) {
    vec3 center = fetch(uv);
    vec3 left = textureLod(sampler2D(scene, scene_samp), uv - vec2(post.texel.x, 0.0), 0.0).rgb;
    vec3 right = textureLod(sampler2D(scene, scene_samp), uv + vec2(post.texel.x, 0.0), 0.0).rgb;
    vec3 below = textureLod(sampler2D(scene, scene_samp), uv - vec2(0.0, post.texel.y), 0.0).rgb;
    vec3 above = textureLod(sampler2D(scene, scene_samp), uv + vec2(0.0, post.texel.y), 0.0).rgb;
    vec3 blurred = (left + right + below + above) * 0.25;
    return max(center + (center - blurred) * post.sharpness, vec3(0.0));
}

// A rational fit of a film's response with a white point of 11.2.
vec3 film_curve(vec3 x) {
    float a = 0.15;
    float b = 0.50;
    float c = 0.10;
    float d = 0.20;
    float e = 0.02;
    float f = 0.30;
    return ((x * (a * x + c * b) + d * e) / (x * (a * x + b) + d * f)) - e / f;
}

vec3 film(vec3 color) {
    vec3 white = film_curve(vec3(11.2));
    return film_curve(color * 2.0) / white;
}

// Noise from the pixel's place by integers only.
float grain(vec2 place, float seed) {
    uint n = uint(place.x) * 1664525 + uint(place.y) * 22695477 + uint(seed * 1000.0);
    n = (n ^ (n >> 16)) * 73244475;
    n = (n ^ (n >> 16)) * 73244475;
    n = n ^ (n >> 16);
    return float(n & 65535) / 65535.0 - 0.5;
}

void main() {
    vec2 at = distort(uv);
    vec3 color = sharpen(at);
    color = mix(color, textureLod(sampler2D(glow, glow_samp), at, 0.0).rgb, post.bloom);
    color *= exp2(post.exposure);
    color = film(color) * post.tint;
    color = (color - vec3(0.5)) * post.contrast + vec3(0.5);
    vec2 corner = (uv - vec2(0.5)) * 2.0;
    color *= mix(1.0, 1.0 - smoothstep(0.3, 1.6, length(corner)), post.vignette);
    color += vec3(grain(gl_FragCoord.xy, post.time) * post.grain);
    color = clamp(color, vec3(0.0), vec3(1.0));
    out_color = vec4(pow(color, vec3(1.0 / 2.2)), 1.0);
}
