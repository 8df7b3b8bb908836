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

vec3 film_curve(vec3 x) {
    vec3 product = 0.15 * x;
    return (x * (product + 0.05) + 0.004) / (x * (product + 0.5) + 0.060000002) - 0.06666666;
}

void main() {
    vec2 centered = uv - 0.5;
    float r2 = dot(centered, centered);
    vec2 product = centered * (1.0 + post.distortion * r2);
    vec2 at = 0.5 + product;
    vec2 away = product * post.aberration;
    float r = textureLod(scene, at + away, 0.0).x;
    float g = textureLod(scene, at, 0.0).y;
    float b = textureLod(scene, at - away, 0.0).z;
    vec3 center = vec3(r, g, b);
    vec2 value = vec2(post.texel.x, 0.0);
    vec3 left = textureLod(scene, at - value, 0.0).xyz;
    vec3 right = textureLod(scene, at + value, 0.0).xyz;
    vec2 value_1 = vec2(0.0, post.texel.y);
    vec3 below = textureLod(scene, at - value_1, 0.0).xyz;
    vec3 above = textureLod(scene, at + value_1, 0.0).xyz;
    vec3 blurred = (left + right + below + above) * 0.25;
    vec3 color = max(center + (center - blurred) * post.sharpness, 0.0);
    color = mix(color, textureLod(glow, at, 0.0).xyz, post.bloom);
    vec3 white = film_curve(vec3(11.2));
    color = film_curve(color * (exp2(post.exposure) * 2.0)) / white * post.tint;
    color = (color - 0.5) * post.contrast + 0.5;
    color *= mix(1.0, 1.0 - smoothstep(0.3, 1.6, length(centered) * 2.0), post.vignette);
    uint n = uint(gl_FragCoord.x) * 1664525u + uint(gl_FragCoord.y) * 22695477u
        + uint(post.time * 1000.0);
    n = (n ^ (n >> 16u)) * 73244475u;
    n = (n ^ (n >> 16u)) * 73244475u;
    n ^= n >> 16u;
    color += (float(n & 65535u) * 0.000015259022 - 0.5) * post.grain;
    color = clamp(color, 0.0, 1.0);
    out_color = vec4(pow(color, vec3(0.45454544)), 1.0);
}
