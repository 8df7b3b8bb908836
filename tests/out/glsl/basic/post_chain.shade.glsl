#version 450

layout(binding = 0, std140) uniform Post {
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

layout(binding = 1) uniform sampler2D scene;
layout(binding = 3) uniform sampler2D glow;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

vec2 distort(vec2 uv) {
    vec2 centered = uv - 0.5;
    float r2 = dot(centered, centered);
    return 0.5 + centered * (1.0 + post.distortion * r2);
}

vec3 fetch(vec2 uv) {
    vec2 away = (uv - 0.5) * post.aberration;
    float r = textureLod(scene, uv + away, 0.0).x;
    float g = textureLod(scene, uv, 0.0).y;
    float b = textureLod(scene, uv - away, 0.0).z;
    return vec3(r, g, b);
}

vec3 sharpen(vec2 uv) {
    vec3 center = fetch(uv);
    vec2 value = vec2(post.texel.x, 0.0);
    vec3 left = textureLod(scene, uv - value, 0.0).xyz;
    vec3 right = textureLod(scene, uv + value, 0.0).xyz;
    vec2 value_1 = vec2(0.0, post.texel.y);
    vec3 below = textureLod(scene, uv - value_1, 0.0).xyz;
    vec3 above = textureLod(scene, uv + value_1, 0.0).xyz;
    vec3 blurred = (left + right + below + above) * 0.25;
    return max(center + (center - blurred) * post.sharpness, 0.0);
}

vec3 film_curve(vec3 x) {
    vec3 product = 0.15 * x;
    return (x * (product + 0.05) + 0.004) / (x * (product + 0.5) + 0.060000002) - 0.06666666;
}

vec3 film(vec3 color) {
    vec3 white = film_curve(vec3(11.2));
    return film_curve(color * 2.0) / white;
}

float grain(vec2 place, float seed) {
    uint n = uint(place.x) * 1664525u + uint(place.y) * 22695477u + uint(seed * 1000.0);
    n = (n ^ (n >> 16u)) * 73244475u;
    n = (n ^ (n >> 16u)) * 73244475u;
    n ^= n >> 16u;
    return float(n & 65535u) / 65535.0 - 0.5;
}

void main() {
    vec2 at = distort(uv);
    vec3 color = sharpen(at);
    color = mix(color, textureLod(glow, at, 0.0).xyz, post.bloom);
    color *= exp2(post.exposure);
    color = film(color) * post.tint;
    color = (color - 0.5) * post.contrast + 0.5;
    vec2 corner = (uv - 0.5) * 2.0;
    color *= mix(1.0, 1.0 - smoothstep(0.3, 1.6, length(corner)), post.vignette);
    color += grain(gl_FragCoord.xy, post.time) * post.grain;
    color = clamp(color, 0.0, 1.0);
    out_color = vec4(pow(color, vec3(0.45454544)), 1.0);
}
