#include <metal_stdlib>

using namespace metal;

struct Settings {
    int2 size;
    float scale;
    float gain;
};

[[max_total_threads_per_threadgroup(32)]]
kernel void noise(
    uint3 id [[thread_position_in_grid]],
    constant Settings& settings [[buffer(0)]],
    device float2* target [[buffer(1)]]
) {
    int2 place = int2(id.xy);
    if (place.x >= settings.size.x || place.y >= settings.size.y) {
        return;
    }
    float2 p = float2(place) * settings.scale;
    float2 sum = float2(0.0);
    float amplitude = 0.5;
    for (int octave = 0; octave < 5; octave++) {
        float2 cell = floor(p);
        int2 i = int2(cell);
        float2 cell_1 = floor(p + (p.x + p.y) * 0.36602542);
        int2 i_1 = int2(cell_1);
        uint h = uint(i_1.x) * 374761393u + uint(i_1.y) * 668265263u;
        h = (h ^ (h >> 13u)) * 1274126177u;
        uint mixed = h ^ (h >> 16u);
        bool diagonal = (mixed & 4u) != 0u;
        bool is_other = (mixed & 1u) != 0u;
        float sy = (mixed & 2u) != 0u ? -1.0 : 1.0;
        float2 value;
        if (diagonal) {
            float sx = is_other ? -1.0 : 1.0;
            value = float2(sx, sy) * 0.70710677;
        } else {
            value = is_other ? float2(0.0, sy) : float2(sy, 0.0);
        }
        float2 d0 = p - (cell_1 - (cell_1.x + cell_1.y) * 0.21132487);
        int2 chosen = d0.x > d0.y ? int2(1, 0) : int2(0, 1);
        int2 sum_1 = i_1 + chosen;
        uint h_1 = uint(sum_1.x) * 374761393u + uint(sum_1.y) * 668265263u;
        h_1 = (h_1 ^ (h_1 >> 13u)) * 1274126177u;
        uint mixed_1 = h_1 ^ (h_1 >> 16u);
        bool diagonal_1 = (mixed_1 & 4u) != 0u;
        bool is_other_1 = (mixed_1 & 1u) != 0u;
        float sy_1 = (mixed_1 & 2u) != 0u ? -1.0 : 1.0;
        float2 value_1;
        if (diagonal_1) {
            float sx = is_other_1 ? -1.0 : 1.0;
            value_1 = float2(sx, sy_1) * 0.70710677;
        } else {
            value_1 = is_other_1 ? float2(0.0, sy_1) : float2(sy_1, 0.0);
        }
        int2 i_plus_one = i_1 + 1;
        uint h_2 = uint(i_plus_one.x) * 374761393u + uint(i_plus_one.y) * 668265263u;
        h_2 = (h_2 ^ (h_2 >> 13u)) * 1274126177u;
        uint mixed_2 = h_2 ^ (h_2 >> 16u);
        bool diagonal_2 = (mixed_2 & 4u) != 0u;
        bool is_other_2 = (mixed_2 & 1u) != 0u;
        float sy_2 = (mixed_2 & 2u) != 0u ? -1.0 : 1.0;
        float2 value_2;
        if (diagonal_2) {
            float sx = is_other_2 ? -1.0 : 1.0;
            value_2 = float2(sx, sy_2) * 0.70710677;
        } else {
            value_2 = is_other_2 ? float2(0.0, sy_2) : float2(sy_2, 0.0);
        }
        uint product = uint(i.x) * 374761393u;
        uint product_1 = uint(i.y) * 668265263u;
        uint h_3 = product + product_1;
        h_3 = (h_3 ^ (h_3 >> 13u)) * 1274126177u;
        int2 i_plus_one_1 = i + 1;
        uint product_2 = uint(i_plus_one_1.x) * 374761393u;
        uint h_4 = product_2 + product_1;
        h_4 = (h_4 ^ (h_4 >> 13u)) * 1274126177u;
        float2 f = p - cell;
        float2 w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
        float low = mix(float((h_3 ^ (h_3 >> 16u)) >> 8u) * 5.9604645e-8,
            float((h_4 ^ (h_4 >> 16u)) >> 8u) * 5.9604645e-8, w.x);
        uint product_3 = uint(i_plus_one_1.y) * 668265263u;
        h_4 = product + product_3;
        h_4 = (h_4 ^ (h_4 >> 13u)) * 1274126177u;
        uint h_5 = product_2 + product_3;
        h_5 = (h_5 ^ (h_5 >> 13u)) * 1274126177u;
        float high = mix(float((h_4 ^ (h_4 >> 16u)) >> 8u) * 5.9604645e-8,
            float((h_5 ^ (h_5 >> 16u)) >> 8u) * 5.9604645e-8, w.x);
        float t = max(0.5 - dot(d0, d0), 0.0);
        float t_squared = t * t;
        float2 d1 = d0 - float2(chosen) + 0.21132487;
        t = max(0.5 - dot(d1, d1), 0.0);
        float t_squared_1 = t * t;
        float2 d2 = d0 - 0.57735026;
        t = max(0.5 - dot(d2, d2), 0.0);
        float t_squared_2 = t * t;
        sum += amplitude
            * float2(mix(low, high, w.y),
                70.0 * (t_squared * t_squared * dot(value, d0)
                    + t_squared_1 * t_squared_1 * dot(value_1, d1)
                    + t_squared_2 * t_squared_2 * dot(value_2, d2)));
        p = float2x2(float2(1.6, 1.2), float2(-1.2, 1.6)) * p + float(octave);
        amplitude *= settings.gain;
    }
    target[place.y * settings.size.x + place.x] = sum;
}
