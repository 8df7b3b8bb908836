#version 450
// Value noise and simplex noise, five octaves of each.

const int OCTAVES = 5;

layout(local_size_x = 8, local_size_y = 4) in;

layout(set = 0, binding = 0, std140) uniform Settings {
    ivec2 size;
    float scale;
    float gain;
} settings;

layout(set = 0, binding = 1, std430) writeonly buffer Target { vec2 target[]; };

uint hash(ivec2 p) {
    uint h = uint(p.x) * 374761393 + uint(p.y) * 668265263;
    h = (h ^ (h >> 13)) * 1274126177;
    return h ^ (h >> 16);
}

float lattice(ivec2 p) {
    return float(hash(p) >> 8) * (1.0 / 16777216.0);
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

// One of eight directions, by the hash of the corner.
vec2 gradient(ivec2 corner) {
    uint h = hash(corner) & 7;
    bool diagonal = (h & 4) != 0;
    float sx = (h & 1) != 0 ? -1.0 : 1.0;
    float sy = (h & 2) != 0 ? -1.0 : 1.0;
    if (diagonal) {
        return vec2(sx, sy) * 0.70710678;
    }
    return (h & 1) != 0 ? vec2(0.0, sy) : vec2(sy, 0.0);
}

float corner_term(ivec2 corner, vec2 d) {
    float t = max(0.5 - dot(d, d), 0.0);
    return t * t * t * t * dot(gradient(corner), d);
}

float simplex_noise(vec2 p) {
    float skew = 0.36602540378;
    float unskew = 0.21132486540;
    vec2 cell = floor(p + (p.x + p.y) * skew);
    vec2 d0 = p - (cell - (cell.x + cell.y) * unskew);
    ivec2 i = ivec2(cell);

    ivec2 step_ = ivec2(0, 1);
    if (d0.x > d0.y) {
        step_ = ivec2(1, 0);
    }
    vec2 d1 = d0 - vec2(step_) + unskew;
    vec2 d2 = d0 - 1.0 + 2.0 * unskew;
    return 70.0 * (corner_term(i, d0) + corner_term(i + step_, d1) + corner_term(i + 1, d2));
}

void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (place.x >= settings.size.x || place.y >= settings.size.y) {
        return;
    }

    vec2 p = vec2(place) * settings.scale;
    float amplitude = 0.5;
    vec2 sum = vec2(0.0);
    for (int octave = 0; octave < OCTAVES; octave++) {
        sum += amplitude * vec2(value_noise(p), simplex_noise(p));
        p = mat2(1.6, 1.2, -1.2, 1.6) * p + float(octave);
        amplitude *= settings.gain;
    }
    target[place.y * settings.size.x + place.x] = sum;
}
