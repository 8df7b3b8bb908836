#version 450
// Inclusive prefix sum of each block of 128 numbers (Hillis and Steele), and the blocks' totals.

const uint SIZE = 128;

layout(local_size_x = SIZE) in;

layout(set = 0, binding = 0, std430) readonly buffer Values { uint values[]; };
layout(set = 0, binding = 1, std430) buffer Sums { uint sums[]; };
layout(set = 0, binding = 2, std430) buffer Totals { uint totals[]; };

shared uint ping[SIZE];
shared uint pong[SIZE];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint lane = gl_LocalInvocationIndex;
    ping[lane] = 0;
    if (i < values.length()) {
        ping[lane] = values[i];
    }
    barrier();

    for (uint step = 1; step < SIZE; step <<= 1) {
        if (lane >= step) {
            pong[lane] = ping[lane] + ping[lane - step];
        } else {
            pong[lane] = ping[lane];
        }
        barrier();
        ping[lane] = pong[lane];
        barrier();
    }

    if (i < sums.length()) {
        sums[i] = ping[lane];
    }
    if (lane == SIZE - 1) {
        totals[gl_WorkGroupID.x] = ping[lane];
    }
}
