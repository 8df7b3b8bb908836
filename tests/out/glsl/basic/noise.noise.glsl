#version 450

layout(local_size_x = 8, local_size_y = 4) in;

layout(binding = 0, std140) uniform Settings {
    ivec2 size;
    float scale;
    float gain;
} settings;

layout(binding = 1, std430) writeonly buffer Target {
    vec2 target[];
};

uint hash(ivec2 p) {
    uint h = uint(p.x) * 374761393u + uint(p.y) * 668265263u;
    h = (h ^ (h >> 13u)) * 1274126177u;
    return h ^ (h >> 16u);
}

float lattice(ivec2 p) {
    return float(hash(p) >> 8u) * 5.9604645e-8;
}

float value_noise(vec2 p) {
    vec2 cell = floor(p);
    ivec2 i = ivec2(cell);
    vec2 f = p - cell;
    vec2 w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    float low = mix(lattice(i), lattice(i + ivec2(1, 0)), w.x);
    float high = mix(lattice(i + ivec2(0, 1)), lattice(i + 1), w.x);
    return mix(low, high, w.y);
}

vec2 gradient(ivec2 corner) {
    uint hash_result = hash(corner);
    bool diagonal = (hash_result & 4u) != 0u;
    bool is_other = (hash_result & 1u) != 0u;
    float sy = (hash_result & 2u) != 0u ? -1.0 : 1.0;
    if (diagonal) {
        float sx = is_other ? -1.0 : 1.0;
        return vec2(sx, sy) * 0.70710677;
    }
    return is_other ? vec2(0.0, sy) : vec2(sy, 0.0);
}

float corner_term(ivec2 corner, vec2 d) {
    float t = max(0.5 - dot(d, d), 0.0);
    return t * t * t * t * dot(gradient(corner), d);
}

float simplex_noise(vec2 p) {
    vec2 cell = floor(p + (p.x + p.y) * 0.36602542);
    vec2 d0 = p - (cell - (cell.x + cell.y) * 0.21132487);
    ivec2 i = ivec2(cell);
    ivec2 step_ = ivec2(0, 1);
    if (d0.x > d0.y) {
        step_ = ivec2(1, 0);
    }
    vec2 d1 = d0 - vec2(step_) + 0.21132487;
    vec2 d2 = d0 - 1.0 + 0.42264974;
    return 70.0 * (corner_term(i, d0) + corner_term(i + step_, d1) + corner_term(i + 1, d2));
}

void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (place.x >= settings.size.x || place.y >= settings.size.y) {
        return;
    }
    vec2 p = vec2(place) * settings.scale;
    vec2 sum = vec2(0.0);
    float amplitude = 0.5;
    for (int octave = 0; octave < 5; octave++) {
        sum += amplitude * vec2(value_noise(p), simplex_noise(p));
        p = mat2(vec2(1.6, 1.2), vec2(-1.2, 1.6)) * p + float(octave);
        amplitude *= settings.gain;
    }
    target[place.y * settings.size.x + place.x] = sum;
}
