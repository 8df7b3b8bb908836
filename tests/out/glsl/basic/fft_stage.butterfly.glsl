#version 450

layout(local_size_x = 32) in;

layout(binding = 0, std140) uniform Stage {
    int size;
    int stride;
    float direction;
} stage;

layout(binding = 1, std430) readonly buffer Before {
    vec2 before[];
};

layout(binding = 2, std430) writeonly buffer After {
    vec2 after[];
};

vec2 complex_mul(vec2 a, vec2 b) {
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

void main() {
    uvec3 id = gl_GlobalInvocationID;
    int i = int(id.x);
    int half_size = stage.size / 2;
    if (i >= half_size) {
        return;
    }
    int row = int(id.y) * stage.size;
    int k = i - stage.stride * (i / stage.stride);
    float angle = stage.direction * 6.2831855 * float(k) / float(2 * stage.stride);
    vec2 twiddle = vec2(cos(angle), sin(angle));
    int row_plus_i = row + i;
    vec2 even = before[row_plus_i];
    vec2 odd = complex_mul(before[row_plus_i + half_size], twiddle);
    int first = i / stage.stride * 2 * stage.stride + k;
    int row_plus_first = row + first;
    after[row_plus_first] = even + odd;
    after[row_plus_first + stage.stride] = even - odd;
}
