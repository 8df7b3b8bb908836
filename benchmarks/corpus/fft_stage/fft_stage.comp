#version 450
// One stage of Stockham's radix-2 FFT over the rows of an image of complex numbers.

const float TAU = 6.283185307179586;

layout(local_size_x = 32) in;

layout(set = 0, binding = 0, std140) uniform Stage {
    int size;        // numbers in a row, a power of two
    int stride;      // 1, 2, 4, ... up to half of the size
    float direction; // -1 forward, 1 back
} stage;

layout(set = 0, binding = 1, std430) readonly buffer Before { vec2 before[]; };
layout(set = 0, binding = 2, std430) writeonly buffer After { vec2 after[]; };

vec2 complex_mul(vec2 a, vec2 b) {
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

void main() {
    int i = int(gl_GlobalInvocationID.x);
    int half_size = stage.size / 2;
    if (i >= half_size) {
        return;
    }

    int row = int(gl_GlobalInvocationID.y) * stage.size;
    int k = i % stage.stride;
    float angle = stage.direction * TAU * float(k) / float(2 * stage.stride);
    vec2 twiddle = vec2(cos(angle), sin(angle));
    vec2 even = before[row + i];
    vec2 odd = complex_mul(before[row + i + half_size], twiddle);
    int first = (i / stage.stride) * 2 * stage.stride + k;
    after[row + first] = even + odd;
    after[row + first + stage.stride] = even - odd;
}
