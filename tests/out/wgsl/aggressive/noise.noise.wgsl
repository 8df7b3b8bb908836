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

fn corner_term(corner: vec2<i32>, d: vec2<f32>) -> f32 {
    let hash_result = hash(corner);
    let diagonal = (hash_result & 4u) != 0u;
    let is_other = (hash_result & 1u) != 0u;
    let sy = select(1.0, -1.0, (hash_result & 2u) != 0u);
    var value: vec2<f32>;
    if (diagonal) {
        let sx = select(1.0, -1.0, is_other);
        value = vec2<f32>(sx, sy) * 0.70710677;
    } else {
        value = select(vec2<f32>(sy, 0.0), vec2<f32>(0.0, sy), is_other);
    }
    let t = saturate(0.5 - d.x * d.x - d.y * d.y);
    let t2 = t * t;
    return t2 * t2 * dot(value, d);
}

@compute @workgroup_size(8, 4)
fn noise(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2<i32>(id.xy);
    if (place.x >= settings.size.x || place.y >= settings.size.y) {
        return;
    }
    var p = vec2<f32>(place) * settings.scale;
    let step_ = vec2<i32>(1, 0);
    let step_1 = vec2<i32>(0, 1);
    var sum = vec2<f32>(0.0);
    var amplitude = 0.5;
    for (var octave = 0; octave < 5; octave++) {
        let cell = floor(p);
        let i = vec2<i32>(cell);
        let cell_1 = floor(p + (p.x + p.y) * 0.36602542);
        let d0 = p - (cell_1 - (cell_1.x + cell_1.y) * 0.21132487);
        let i_1 = vec2<i32>(cell_1);
        let chosen = select(step_1, step_, d0.x > d0.y);
        let d1 = d0 - vec2<f32>(chosen) + 0.21132487;
        let d2 = d0 - 0.57735026;
        let f = p - cell;
        let w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
        let low = mix(f32(hash(i) >> 8u) * 5.9604645e-8, f32(hash(i + step_) >> 8u) * 5.9604645e-8,
            w.x);
        let high = mix(f32(hash(i + step_1) >> 8u) * 5.9604645e-8,
            f32(hash(i + 1) >> 8u) * 5.9604645e-8, w.x);
        sum += amplitude
            * vec2<f32>(mix(low, high, w.y),
                70.0 * (corner_term(i_1, d0) + corner_term(i_1 + chosen, d1)
                    + corner_term(i_1 + 1, d2)));
        p = f32(octave) + vec2<f32>(1.6, 1.2) * p.x + vec2<f32>(-1.2, 1.6) * p.y;
        amplitude *= settings.gain;
    }
    target_1[place.y * settings.size.x + place.x] = sum;
}
