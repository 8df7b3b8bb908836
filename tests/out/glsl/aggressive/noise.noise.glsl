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

float corner_term(ivec2 corner, vec2 d) {
    uint hash_result = hash(corner);
    bool diagonal = (hash_result & 4u) != 0u;
    bool is_other = (hash_result & 1u) != 0u;
    float sy = (hash_result & 2u) != 0u ? -1.0 : 1.0;
    vec2 value;
    if (diagonal) {
        float sx = is_other ? -1.0 : 1.0;
        value = vec2(sx, sy) * 0.70710677;
    } else {
        value = is_other ? vec2(0.0, sy) : vec2(sy, 0.0);
    }
    float t = clamp(0.5 - d.x * d.x - d.y * d.y, 0.0, 1.0);
    float t2 = t * t;
    return t2 * t2 * dot(value, d);
}

void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (place.x >= settings.size.x || place.y >= settings.size.y) {
        return;
    }
    vec2 p = vec2(place) * settings.scale;
    ivec2 step_ = ivec2(1, 0);
    ivec2 step_1 = ivec2(0, 1);
    vec2 sum = vec2(0.0);
    float amplitude = 0.5;
    for (int octave = 0; octave < 5; octave++) {
        vec2 cell = floor(p);
        ivec2 i = ivec2(cell);
        vec2 cell_1 = floor(p + (p.x + p.y) * 0.36602542);
        vec2 d0 = p - (cell_1 - (cell_1.x + cell_1.y) * 0.21132487);
        ivec2 i_1 = ivec2(cell_1);
        ivec2 chosen = d0.x > d0.y ? step_ : step_1;
        vec2 d1 = d0 - vec2(chosen) + 0.21132487;
        vec2 d2 = d0 - 0.57735026;
        vec2 f = p - cell;
        vec2 w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
        float low = mix(float(hash(i) >> 8u) * 5.9604645e-8,
            float(hash(i + step_) >> 8u) * 5.9604645e-8, w.x);
        float high = mix(float(hash(i + step_1) >> 8u) * 5.9604645e-8,
            float(hash(i + 1) >> 8u) * 5.9604645e-8, w.x);
        sum += amplitude
            * vec2(mix(low, high, w.y),
                70.0 * (corner_term(i_1, d0) + corner_term(i_1 + chosen, d1)
                    + corner_term(i_1 + 1, d2)));
        p = float(octave) + vec2(1.6, 1.2) * p.x + vec2(-1.2, 1.6) * p.y;
        amplitude *= settings.gain;
    }
    target[place.y * settings.size.x + place.x] = sum;
}
