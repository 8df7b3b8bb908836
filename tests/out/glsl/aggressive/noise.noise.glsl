#version 450

layout(local_size_x = 8, local_size_y = 4, local_size_z = 1) in;

layout(set = 0, binding = 0, std140) uniform Settings {
    ivec2 size;
    float scale;
    float gain;
} settings;

layout(set = 0, binding = 1, std430) writeonly buffer TargetBuffer {
    vec2 target[];
};

void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (place.x >= settings.size.x || place.y >= settings.size.y) {
        return;
    }
    vec2 p = vec2(place) * settings.scale;
    vec2 sum = vec2(0.0);
    float amplitude = 0.5;
    for (int octave = 0; octave < 5; octave++) {
        vec2 cell = floor(p);
        ivec2 i = ivec2(cell);
        vec2 cell_1 = floor(p + (p.x + p.y) * 0.36602542);
        ivec2 i_1 = ivec2(cell_1);
        uint h = uint(i_1.x) * 374761393u + uint(i_1.y) * 668265263u;
        h = (h ^ (h >> 13u)) * 1274126177u;
        uint mixed = h ^ (h >> 16u);
        bool diagonal = (mixed & 4u) != 0u;
        bool is_other = (mixed & 1u) != 0u;
        float sy = (mixed & 2u) != 0u ? -1.0 : 1.0;
        vec2 value;
        if (diagonal) {
            float sx = is_other ? -1.0 : 1.0;
            value = vec2(sx, sy) * 0.70710677;
        } else {
            value = is_other ? vec2(0.0, sy) : vec2(sy, 0.0);
        }
        vec2 d0 = p - (cell_1 - (cell_1.x + cell_1.y) * 0.21132487);
        ivec2 chosen = d0.x > d0.y ? ivec2(1, 0) : ivec2(0, 1);
        ivec2 sum_1 = i_1 + chosen;
        uint h_1 = uint(sum_1.x) * 374761393u + uint(sum_1.y) * 668265263u;
        h_1 = (h_1 ^ (h_1 >> 13u)) * 1274126177u;
        uint mixed_1 = h_1 ^ (h_1 >> 16u);
        bool diagonal_1 = (mixed_1 & 4u) != 0u;
        bool is_other_1 = (mixed_1 & 1u) != 0u;
        float sy_1 = (mixed_1 & 2u) != 0u ? -1.0 : 1.0;
        vec2 value_1;
        if (diagonal_1) {
            float sx = is_other_1 ? -1.0 : 1.0;
            value_1 = vec2(sx, sy_1) * 0.70710677;
        } else {
            value_1 = is_other_1 ? vec2(0.0, sy_1) : vec2(sy_1, 0.0);
        }
        ivec2 i_plus_one = i_1 + 1;
        uint h_2 = uint(i_plus_one.x) * 374761393u + uint(i_plus_one.y) * 668265263u;
        h_2 = (h_2 ^ (h_2 >> 13u)) * 1274126177u;
        uint mixed_2 = h_2 ^ (h_2 >> 16u);
        bool diagonal_2 = (mixed_2 & 4u) != 0u;
        bool is_other_2 = (mixed_2 & 1u) != 0u;
        float sy_2 = (mixed_2 & 2u) != 0u ? -1.0 : 1.0;
        vec2 value_2;
        if (diagonal_2) {
            float sx = is_other_2 ? -1.0 : 1.0;
            value_2 = vec2(sx, sy_2) * 0.70710677;
        } else {
            value_2 = is_other_2 ? vec2(0.0, sy_2) : vec2(sy_2, 0.0);
        }
        uint product = uint(i.x) * 374761393u;
        uint product_1 = uint(i.y) * 668265263u;
        uint h_3 = product + product_1;
        h_3 = (h_3 ^ (h_3 >> 13u)) * 1274126177u;
        ivec2 i_plus_one_1 = i + 1;
        uint product_2 = uint(i_plus_one_1.x) * 374761393u;
        uint h_4 = product_2 + product_1;
        h_4 = (h_4 ^ (h_4 >> 13u)) * 1274126177u;
        vec2 f = p - cell;
        vec2 w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
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
        vec2 d1 = d0 - vec2(chosen) + 0.21132487;
        t = max(0.5 - dot(d1, d1), 0.0);
        float t_squared_1 = t * t;
        vec2 d2 = d0 - 0.57735026;
        t = max(0.5 - dot(d2, d2), 0.0);
        float t_squared_2 = t * t;
        sum += amplitude
            * vec2(mix(low, high, w.y),
                70.0 * (t_squared * t_squared * dot(value, d0)
                    + t_squared_1 * t_squared_1 * dot(value_1, d1)
                    + t_squared_2 * t_squared_2 * dot(value_2, d2)));
        p = mat2(vec2(1.6, 1.2), vec2(-1.2, 1.6)) * p + float(octave);
        amplitude *= settings.gain;
    }
    target[place.y * settings.size.x + place.x] = sum;
}
