#include <metal_stdlib>

using namespace metal;

struct Settings {
    int2 size;
    float scale;
    float gain;
};

static uint hash(int2 p) {
    uint h = uint(p.x) * 374761393u + uint(p.y) * 668265263u;
    h = (h ^ (h >> 13u)) * 1274126177u;
    return h ^ (h >> 16u);
}

static float corner_term(int2 corner, float2 d) {
    uint hash_result = hash(corner);
    bool diagonal = (hash_result & 4u) != 0u;
    bool is_other = (hash_result & 1u) != 0u;
    float sy = (hash_result & 2u) != 0u ? -1.0 : 1.0;
    float2 value;
    if (diagonal) {
        float sx = is_other ? -1.0 : 1.0;
        value = float2(sx, sy) * 0.70710677;
    } else {
        value = is_other ? float2(0.0, sy) : float2(sy, 0.0);
    }
    float t = saturate(0.5 - d.x * d.x - d.y * d.y);
    float t2 = t * t;
    return t2 * t2 * dot(value, d);
}

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
    int2 step_ = int2(1, 0);
    int2 step_1 = int2(0, 1);
    float2 sum = float2(0.0);
    float amplitude = 0.5;
    for (int octave = 0; octave < 5; octave++) {
        float2 cell = floor(p);
        int2 i = int2(cell);
        float2 cell_1 = floor(p + (p.x + p.y) * 0.36602542);
        float2 d0 = p - (cell_1 - (cell_1.x + cell_1.y) * 0.21132487);
        int2 i_1 = int2(cell_1);
        int2 chosen = d0.x > d0.y ? step_ : step_1;
        float2 d1 = d0 - float2(chosen) + 0.21132487;
        float2 d2 = d0 - 0.57735026;
        float2 f = p - cell;
        float2 w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
        float low = mix(float(hash(i) >> 8u) * 5.9604645e-8,
            float(hash(i + step_) >> 8u) * 5.9604645e-8, w.x);
        float high = mix(float(hash(i + step_1) >> 8u) * 5.9604645e-8,
            float(hash(i + 1) >> 8u) * 5.9604645e-8, w.x);
        sum += amplitude
            * float2(mix(low, high, w.y),
                70.0 * (corner_term(i_1, d0) + corner_term(i_1 + chosen, d1)
                    + corner_term(i_1 + 1, d2)));
        p = float(octave) + float2(1.6, 1.2) * p.x + float2(-1.2, 1.6) * p.y;
        amplitude *= settings.gain;
    }
    target[place.y * settings.size.x + place.x] = sum;
}
