// The end of a frame in one pass: lens distortion, chromatic aberration, sharpening, bloom,
// exposure, a filmic curve, contrast, vignette, grain and gamma.

struct Post {
    texel: vec2<f32>,
    distortion: f32,
    aberration: f32,
    sharpness: f32,
    bloom: f32,
    exposure: f32,
    contrast: f32,
    tint: vec3<f32>,
    vignette: f32,
    grain: f32,
    time: f32,
}

@group(0) @binding(0) var<uniform> post: Post;
@group(0) @binding(1) var scene: texture_2d<f32>;
@group(0) @binding(2) var scene_samp: sampler;
@group(0) @binding(3) var glow: texture_2d<f32>;
@group(0) @binding(4) var glow_samp: sampler;

fn distort(uv: vec2<f32>) -> vec2<f32> {
    let centered = uv - 0.5;
    let r2 = dot(centered, centered);
    return 0.5 + centered * (1.0 + post.distortion * r2);
}

fn fetch(uv: vec2<f32>) -> vec3<f32> {
    let away = (uv - 0.5) * post.aberration;
    let r = textureSampleLevel(scene, scene_samp, uv + away, 0.0).r;
    let g = textureSampleLevel(scene, scene_samp, uv, 0.0).g;
    let b = textureSampleLevel(scene, scene_samp, uv - away, 0.0).b;
    return vec3(r, g, b);
}

fn sharpen(uv: vec2<f32>) -> vec3<f32> {
    let center = fetch(uv);
    let left = textureSampleLevel(scene, scene_samp, uv - vec2(post.texel.x, 0.0), 0.0).rgb;
    let right = textureSampleLevel(scene, scene_samp, uv + vec2(post.texel.x, 0.0), 0.0).rgb;
    let below = textureSampleLevel(scene, scene_samp, uv - vec2(0.0, post.texel.y), 0.0).rgb;
    let above = textureSampleLevel(scene, scene_samp, uv + vec2(0.0, post.texel.y), 0.0).rgb;
    let blurred = (left + right + below + above) * 0.25;
    return max(center + (center - blurred) * post.sharpness, vec3(0.0));
}

// A rational fit of a film's response with a white point of 11.2.
fn film_curve(x: vec3<f32>) -> vec3<f32> {
    let a = 0.15;
    let b = 0.50;
    let c = 0.10;
    let d = 0.20;
    let e = 0.02;
    let f = 0.30;
    return ((x * (a * x + c * b) + d * e) / (x * (a * x + b) + d * f)) - e / f;
}

fn film(color: vec3<f32>) -> vec3<f32> {
    let white = film_curve(vec3(11.2));
    return film_curve(color * 2.0) / white;
}

// Noise from the pixel's place by integers only.
fn grain(place: vec2<f32>, seed: f32) -> f32 {
    var n = u32(place.x) * 1664525u + u32(place.y) * 22695477u + u32(seed * 1000.0);
    n = (n ^ (n >> 16u)) * 73244475u;
    n = (n ^ (n >> 16u)) * 73244475u;
    n = n ^ (n >> 16u);
    return f32(n & 65535u) / 65535.0 - 0.5;
}

@fragment
fn shade(
    @builtin(position) pixel: vec4<f32>, @location(0) uv: vec2<f32>
) -> @location(0) vec4<f32> {
    let at = distort(uv);
    var color = sharpen(at);
    color = mix(color, textureSampleLevel(glow, glow_samp, at, 0.0).rgb, post.bloom);
    color *= exp2(post.exposure);
    color = film(color) * post.tint;
    color = (color - 0.5) * post.contrast + 0.5;
    let corner = (uv - 0.5) * 2.0;
    color *= mix(1.0, 1.0 - smoothstep(0.3, 1.6, length(corner)), post.vignette);
    color += grain(pixel.xy, post.time) * post.grain;
    color = clamp(color, vec3(0.0), vec3(1.0));
    return vec4(pow(color, vec3(1.0 / 2.2)), 1.0);
}
