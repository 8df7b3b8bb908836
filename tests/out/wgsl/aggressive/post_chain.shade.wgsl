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

fn film_curve(x: vec3<f32>) -> vec3<f32> {
    let product = 0.15 * x;
    return (x * (product + 0.05) + 0.004) / (x * (product + 0.5) + 0.060000002) - 0.06666666;
}

@fragment
fn shade(@builtin(position) pixel: vec4<f32>,
    @location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let centered = uv - 0.5;
    let r2 = dot(centered, centered);
    let product = centered * (1.0 + post.distortion * r2);
    let at = 0.5 + product;
    let away = product * post.aberration;
    let r = textureSampleLevel(scene_tex, scene_samp, at + away, 0.0).x;
    let g = textureSampleLevel(scene_tex, scene_samp, at, 0.0).y;
    let b = textureSampleLevel(scene_tex, scene_samp, at - away, 0.0).z;
    let center = vec3<f32>(r, g, b);
    let value = vec2<f32>(post.texel.x, 0.0);
    let left = textureSampleLevel(scene_tex, scene_samp, at - value, 0.0).xyz;
    let right = textureSampleLevel(scene_tex, scene_samp, at + value, 0.0).xyz;
    let value_1 = vec2<f32>(0.0, post.texel.y);
    let below = textureSampleLevel(scene_tex, scene_samp, at - value_1, 0.0).xyz;
    let above = textureSampleLevel(scene_tex, scene_samp, at + value_1, 0.0).xyz;
    let blurred = (left + right + below + above) * 0.25;
    var color = max(center + (center - blurred) * post.sharpness, vec3<f32>(0.0));
    color = mix(color, textureSampleLevel(glow_tex, glow_samp, at, 0.0).xyz, post.bloom);
    let white = film_curve(vec3<f32>(11.2));
    color = film_curve(color * (exp2(post.exposure) * 2.0)) / white * post.tint;
    color = (color - 0.5) * post.contrast + 0.5;
    color *= mix(1.0, 1.0 - smoothstep(0.3, 1.6, length(centered) * 2.0), post.vignette);
    var n = u32(pixel.x) * 1664525u + u32(pixel.y) * 22695477u + u32(post.time * 1000.0);
    n = (n ^ (n >> 16u)) * 73244475u;
    n = (n ^ (n >> 16u)) * 73244475u;
    n ^= n >> 16u;
    color += (f32(n & 65535u) * 0.000015259022 - 0.5) * post.grain;
    color = saturate(color);
    return vec4<f32>(pow(color, vec3<f32>(0.45454544)), 1.0);
}
