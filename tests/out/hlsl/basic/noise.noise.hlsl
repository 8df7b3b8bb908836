// dxc -T cs_6_2 -E noise_1 -HV 2021

struct Settings {
    int2 size;
    float scale;
    float gain;
};

ConstantBuffer<Settings> settings : register(b0);

RWStructuredBuffer<float2> target : register(u1);

uint hash(int2 p) {
    uint h = uint(p.x) * 374761393u + uint(p.y) * 668265263u;
    h = (h ^ (h >> 13u)) * 1274126177u;
    return h ^ (h >> 16u);
}

float lattice(int2 p) {
    return float(hash(p) >> 8u) * 5.9604645e-8;
}

float value_noise(float2 p) {
    float2 cell = floor(p);
    int2 i = int2(cell);
    float2 f = p - cell;
    float2 w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    float low = lerp(lattice(i), lattice(i + int2(1, 0)), w.x);
    float high = lerp(lattice(i + int2(0, 1)), lattice(i + 1), w.x);
    return lerp(low, high, w.y);
}

float2 gradient(int2 corner) {
    uint hash_result = hash(corner);
    bool diagonal = (hash_result & 4u) != 0u;
    bool is_other = (hash_result & 1u) != 0u;
    float sy = (hash_result & 2u) != 0u ? -1.0 : 1.0;
    if (diagonal) {
        float sx = is_other ? -1.0 : 1.0;
        return float2(sx, sy) * 0.70710677;
    }
    return is_other ? float2(0.0, sy) : float2(sy, 0.0);
}

float corner_term(int2 corner, float2 d) {
    float t = max(0.5 - dot(d, d), 0.0);
    return t * t * t * t * dot(gradient(corner), d);
}

float simplex_noise(float2 p) {
    float2 cell = floor(p + (p.x + p.y) * 0.36602542);
    float2 d0 = p - (cell - (cell.x + cell.y) * 0.21132487);
    int2 i = int2(cell);
    int2 step_ = int2(0, 1);
    if (d0.x > d0.y) {
        step_ = int2(1, 0);
    }
    float2 d1 = d0 - float2(step_) + 0.21132487;
    float2 d2 = d0 - 1.0 + 0.42264974;
    return 70.0 * (corner_term(i, d0) + corner_term(i + step_, d1) + corner_term(i + 1, d2));
}

[numthreads(8, 4, 1)]
void noise_1(uint3 id : SV_DispatchThreadID) {
    int2 place = int2(id.xy);
    if (place.x >= settings.size.x || place.y >= settings.size.y) {
        return;
    }
    float2 p = float2(place) * settings.scale;
    float2 sum = (float2)0.0;
    float amplitude = 0.5;
    for (int octave = 0; octave < 5; octave++) {
        sum += amplitude * float2(value_noise(p), simplex_noise(p));
        p = mul(p, float2x2(float2(1.6, 1.2), float2(-1.2, 1.6))) + float(octave);
        amplitude *= settings.gain;
    }
    target[place.y * settings.size.x + place.x] = sum;
}
