struct Settings {
    size: vec2<i32>,
    scale: f32,
    gain: f32,
}

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read_write> target_1: array<vec2<f32>>;

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
        let cell = floor(p);
        let i = vec2<i32>(cell);
        let cell_1 = floor(p + (p.x + p.y) * 0.36602542);
        let i_1 = vec2<i32>(cell_1);
        var h = u32(i_1.x) * 374761393u + u32(i_1.y) * 668265263u;
        h = (h ^ (h >> 13u)) * 1274126177u;
        let mixed = h ^ (h >> 16u);
        let diagonal = (mixed & 4u) != 0u;
        let is_other = (mixed & 1u) != 0u;
        let sy = select(1.0, -1.0, (mixed & 2u) != 0u);
        var value: vec2<f32>;
        if (diagonal) {
            let sx = select(1.0, -1.0, is_other);
            value = vec2<f32>(sx, sy) * 0.70710677;
        } else {
            value = select(vec2<f32>(sy, 0.0), vec2<f32>(0.0, sy), is_other);
        }
        let d0 = p - (cell_1 - (cell_1.x + cell_1.y) * 0.21132487);
        let chosen = select(vec2<i32>(0, 1), vec2<i32>(1, 0), d0.x > d0.y);
        let sum_1 = i_1 + chosen;
        var h_1 = u32(sum_1.x) * 374761393u + u32(sum_1.y) * 668265263u;
        h_1 = (h_1 ^ (h_1 >> 13u)) * 1274126177u;
        let mixed_1 = h_1 ^ (h_1 >> 16u);
        let diagonal_1 = (mixed_1 & 4u) != 0u;
        let is_other_1 = (mixed_1 & 1u) != 0u;
        let sy_1 = select(1.0, -1.0, (mixed_1 & 2u) != 0u);
        var value_1: vec2<f32>;
        if (diagonal_1) {
            let sx = select(1.0, -1.0, is_other_1);
            value_1 = vec2<f32>(sx, sy_1) * 0.70710677;
        } else {
            value_1 = select(vec2<f32>(sy_1, 0.0), vec2<f32>(0.0, sy_1), is_other_1);
        }
        let i_plus_one = i_1 + 1;
        var h_2 = u32(i_plus_one.x) * 374761393u + u32(i_plus_one.y) * 668265263u;
        h_2 = (h_2 ^ (h_2 >> 13u)) * 1274126177u;
        let mixed_2 = h_2 ^ (h_2 >> 16u);
        let diagonal_2 = (mixed_2 & 4u) != 0u;
        let is_other_2 = (mixed_2 & 1u) != 0u;
        let sy_2 = select(1.0, -1.0, (mixed_2 & 2u) != 0u);
        var value_2: vec2<f32>;
        if (diagonal_2) {
            let sx = select(1.0, -1.0, is_other_2);
            value_2 = vec2<f32>(sx, sy_2) * 0.70710677;
        } else {
            value_2 = select(vec2<f32>(sy_2, 0.0), vec2<f32>(0.0, sy_2), is_other_2);
        }
        let product = u32(i.x) * 374761393u;
        let product_1 = u32(i.y) * 668265263u;
        var h_3 = product + product_1;
        h_3 = (h_3 ^ (h_3 >> 13u)) * 1274126177u;
        let i_plus_one_1 = i + 1;
        let product_2 = u32(i_plus_one_1.x) * 374761393u;
        var h_4 = product_2 + product_1;
        h_4 = (h_4 ^ (h_4 >> 13u)) * 1274126177u;
        let f = p - cell;
        let w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
        let low = mix(f32((h_3 ^ (h_3 >> 16u)) >> 8u) * 5.9604645e-8,
            f32((h_4 ^ (h_4 >> 16u)) >> 8u) * 5.9604645e-8, w.x);
        let product_3 = u32(i_plus_one_1.y) * 668265263u;
        h_4 = product + product_3;
        h_4 = (h_4 ^ (h_4 >> 13u)) * 1274126177u;
        var h_5 = product_2 + product_3;
        h_5 = (h_5 ^ (h_5 >> 13u)) * 1274126177u;
        let high = mix(f32((h_4 ^ (h_4 >> 16u)) >> 8u) * 5.9604645e-8,
            f32((h_5 ^ (h_5 >> 16u)) >> 8u) * 5.9604645e-8, w.x);
        var t = max(0.5 - dot(d0, d0), 0.0);
        let t_squared = t * t;
        let d1 = d0 - vec2<f32>(chosen) + 0.21132487;
        t = max(0.5 - dot(d1, d1), 0.0);
        let t_squared_1 = t * t;
        let d2 = d0 - 0.57735026;
        t = max(0.5 - dot(d2, d2), 0.0);
        let t_squared_2 = t * t;
        sum += amplitude
            * vec2<f32>(mix(low, high, w.y),
                70.0 * (t_squared * t_squared * dot(value, d0)
                    + t_squared_1 * t_squared_1 * dot(value_1, d1)
                    + t_squared_2 * t_squared_2 * dot(value_2, d2)));
        p = mat2x2<f32>(vec2<f32>(1.6, 1.2), vec2<f32>(-1.2, 1.6)) * p + f32(octave);
        amplitude *= settings.gain;
    }
    target_1[place.y * settings.size.x + place.x] = sum;
}
