struct Settings {
    size: vec2<i32>,
    scale: f32,
    gain: f32,
}

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read_write> target_1: array<vec2<f32>>;

fn hash(p: vec2<i32>) -> u32 {
    var h = u32(p.x) * 374761393u + u32(p.y) * 668265263u;
    h = (h ^ (h >> 13u)) * 1274126177u;
    return h ^ (h >> 16u);
}

fn lattice(p: vec2<i32>) -> f32 {
    return f32(hash(p) >> 8u) * 5.9604645e-8;
}

fn value_noise(p: vec2<f32>) -> f32 {
    let cell = floor(p);
    let i = vec2<i32>(cell);
    let f = p - cell;
    let w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let low = mix(lattice(i), lattice(i + vec2<i32>(1, 0)), w.x);
    let high = mix(lattice(i + vec2<i32>(0, 1)), lattice(i + 1), w.x);
    return mix(low, high, w.y);
}

fn gradient(corner: vec2<i32>) -> vec2<f32> {
    let hash_result = hash(corner);
    let diagonal = (hash_result & 4u) != 0u;
    let is_other = (hash_result & 1u) != 0u;
    let sy = select(1.0, -1.0, (hash_result & 2u) != 0u);
    if (diagonal) {
        let sx = select(1.0, -1.0, is_other);
        return vec2<f32>(sx, sy) * 0.70710677;
    }
    return select(vec2<f32>(sy, 0.0), vec2<f32>(0.0, sy), is_other);
}

fn corner_term(corner: vec2<i32>, d: vec2<f32>) -> f32 {
    let t = max(0.5 - dot(d, d), 0.0);
    return t * t * t * t * dot(gradient(corner), d);
}

fn simplex_noise(p: vec2<f32>) -> f32 {
    let cell = floor(p + (p.x + p.y) * 0.36602542);
    let d0 = p - (cell - (cell.x + cell.y) * 0.21132487);
    let i = vec2<i32>(cell);
    var step_ = vec2<i32>(0, 1);
    if (d0.x > d0.y) {
        step_ = vec2<i32>(1, 0);
    }
    let d1 = d0 - vec2<f32>(step_) + 0.21132487;
    let d2 = d0 - 1.0 + 0.42264974;
    return 70.0 * (corner_term(i, d0) + corner_term(i + step_, d1) + corner_term(i + 1, d2));
}

@compute @workgroup_size(8, 4)
fn noise(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2<i32>(id.xy);
    if (place.x >= settings.size.x || place.y >= settings.size.y) {
        return;
    }
    var p = vec2<f32>(place) * settings.scale;
    var sum = vec2<f32>(0.0);
    var amplitude = 0.5;
    for (var octave = 0; octave < 5; octave++) {
        sum += amplitude * vec2<f32>(value_noise(p), simplex_noise(p));
        p = mat2x2<f32>(vec2<f32>(1.6, 1.2), vec2<f32>(-1.2, 1.6)) * p + f32(octave);
        amplitude *= settings.gain;
    }
    target_1[place.y * settings.size.x + place.x] = sum;
}
