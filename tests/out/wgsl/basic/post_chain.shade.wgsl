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
@group(0) @binding(1) var scene_tex: texture_2d<f32>;
@group(0) @binding(2) var scene_samp: sampler;
@group(0) @binding(3) var glow_tex: texture_2d<f32>;
@group(0) @binding(4) var glow_samp: sampler;

fn distort(uv: vec2<f32>) -> vec2<f32> {
    let centered = uv - 0.5;
    let r2 = dot(centered, centered);
    return 0.5 + centered * (1.0 + post.distortion * r2);
}

fn fetch(uv: vec2<f32>) -> vec3<f32> {
    let away = (uv - 0.5) * post.aberration;
    let r = textureSampleLevel(scene_tex, scene_samp, uv + away, 0.0).x;
    let g = textureSampleLevel(scene_tex, scene_samp, uv, 0.0).y;
    let b = textureSampleLevel(scene_tex, scene_samp, uv - away, 0.0).z;
    return vec3<f32>(r, g, b);
}

fn sharpen(uv: vec2<f32>) -> vec3<f32> {
    let center = fetch(uv);
    let value = vec2<f32>(post.texel.x, 0.0);
    let left = textureSampleLevel(scene_tex, scene_samp, uv - value, 0.0).xyz;
    let right = textureSampleLevel(scene_tex, scene_samp, uv + value, 0.0).xyz;
    let value_1 = vec2<f32>(0.0, post.texel.y);
    let below = textureSampleLevel(scene_tex, scene_samp, uv - value_1, 0.0).xyz;
    let above = textureSampleLevel(scene_tex, scene_samp, uv + value_1, 0.0).xyz;
    let blurred = (left + right + below + above) * 0.25;
    return max(center + (center - blurred) * post.sharpness, vec3<f32>(0.0));
}

fn film_curve(x: vec3<f32>) -> vec3<f32> {
    let product = 0.15 * x;
    return (x * (product + 0.05) + 0.004) / (x * (product + 0.5) + 0.060000002) - 0.06666666;
}

fn film(color: vec3<f32>) -> vec3<f32> {
    let white = film_curve(vec3<f32>(11.2));
    return film_curve(color * 2.0) / white;
}

fn grain(place: vec2<f32>, seed: f32) -> f32 {
    var n = u32(place.x) * 1664525u + u32(place.y) * 22695477u + u32(seed * 1000.0);
    n = (n ^ (n >> 16u)) * 73244475u;
    n = (n ^ (n >> 16u)) * 73244475u;
    n ^= n >> 16u;
    return f32(n & 65535u) / 65535.0 - 0.5;
}

@fragment
fn shade(@builtin(position) pixel: vec4<f32>,
    @location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let at = distort(uv);
    var color = sharpen(at);
    color = mix(color, textureSampleLevel(glow_tex, glow_samp, at, 0.0).xyz, post.bloom);
    color *= exp2(post.exposure);
    color = film(color) * post.tint;
    color = (color - 0.5) * post.contrast + 0.5;
    let corner = (uv - 0.5) * 2.0;
    color *= mix(1.0, 1.0 - smoothstep(0.3, 1.6, length(corner)), post.vignette);
    color += grain(pixel.xy, post.time) * post.grain;
    color = saturate(color);
    return vec4<f32>(pow(color, vec3<f32>(0.45454544)), 1.0);
}
