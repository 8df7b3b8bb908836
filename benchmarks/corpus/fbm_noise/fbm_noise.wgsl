// Fractal Brownian motion: five octaves of value noise on a hash by sine.

const OCTAVES: i32 = 5;

struct Noise {
    offset: vec2<f32>,
    scale: f32,
}

@group(0) @binding(0) var<uniform> noise: Noise;

fn hash(p: vec2<f32>) -> f32 {
    return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453);
}

fn value_noise(p: vec2<f32>) -> f32 {
    let i = floor(p);
    let f = fract(p);
    let u = f * f * (3.0 - 2.0 * f);
    let a = hash(i);
    let b = hash(i + vec2(1.0, 0.0));
    let c = hash(i + vec2(0.0, 1.0));
    let d = hash(i + vec2(1.0, 1.0));
    return mix(mix(a, b, u.x), mix(c, d, u.x), u.y);
}

fn fbm(start: vec2<f32>) -> f32 {
    var p = start;
    var sum = 0.0;
    var amplitude = 0.5;
    for (var i = 0; i < OCTAVES; i++) {
        sum += amplitude * value_noise(p);
        p *= 2.0;
        amplitude *= 0.5;
    }
    return sum;
}

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let value = fbm(uv * noise.scale + noise.offset);
    return vec4(mix(vec3(0.1, 0.2, 0.4), vec3(0.9, 0.9, 1.0), value), 1.0);
}
