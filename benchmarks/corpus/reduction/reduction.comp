#version 450
// The sum, least and greatest of many numbers: one partial result for each workgroup.

const int SIZE = 64;

struct Summary {
    float sum;
    float least;
    float greatest;
};

layout(local_size_x = SIZE) in;

layout(set = 0, binding = 0, std140) uniform Work {
    int count;
    int stride; // numbers that all workgroups together take at a time
} work;

layout(set = 0, binding = 1, std430) readonly buffer Numbers { float numbers[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Partial { Summary partial_[]; };

shared float sums[SIZE];
shared float lows[SIZE];
shared float highs[SIZE];

void main() {
    int lane = int(gl_LocalInvocationIndex);
    float sum = 0.0;
    float low = 3.402823e38;
    float high = -3.402823e38;
    for (int i = int(gl_WorkGroupID.x) * SIZE + lane; i < work.count; i += work.stride) {
        sum += numbers[i];
        low = min(low, numbers[i]);
        high = max(high, numbers[i]);
    }
    sums[lane] = sum;
    lows[lane] = low;
    highs[lane] = high;
    barrier();

    for (int width = SIZE / 2; width > 0; width /= 2) {
        if (lane < width) {
            sums[lane] += sums[lane + width];
            lows[lane] = min(lows[lane], lows[lane + width]);
            highs[lane] = max(highs[lane], highs[lane + width]);
        }
        barrier();
    }
    if (lane == 0) {
        partial_[gl_WorkGroupID.x] = Summary(sums[0], lows[0], highs[0]);
    }
}
