#version 450

layout(local_size_x = 64) in;

struct Summary {
    float sum;
    float least;
    float greatest;
};

layout(binding = 0, std140) uniform Work {
    int count;
    int stride;
} work;

layout(binding = 1, std430) readonly buffer Numbers {
    float numbers[];
};

layout(binding = 2, std430) writeonly buffer Partial {
    Summary partial[];
};

shared float sums[64];
shared float lows[64];
shared float highs[64];

void main() {
    int lane = int(gl_LocalInvocationIndex);
    int i = int(gl_WorkGroupID.x) * 64 + lane;
    float sum = 0.0;
    float low = 3.402823e38;
    float high = -3.402823e38;
    for (int j = 0; j < 1000000 && i < work.count; j++) {
        float number = numbers[i];
        sum += number;
        low = min(low, number);
        high = max(high, number);
        i += work.stride;
    }
    sums[lane] = sum;
    lows[lane] = low;
    highs[lane] = high;
    barrier();
    int width = 32;
    while (width > 0) {
        if (lane < width) {
            int lane_plus_width = lane + width;
            sums[lane] += sums[lane_plus_width];
            lows[lane] = min(lows[lane], lows[lane_plus_width]);
            highs[lane] = max(highs[lane], highs[lane_plus_width]);
        }
        barrier();
        width /= 2;
    }
    if (lane == 0) {
        partial[gl_WorkGroupID.x] = Summary(sums[0], lows[0], highs[0]);
    }
}
