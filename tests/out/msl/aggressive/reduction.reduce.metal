#include <metal_stdlib>

using namespace metal;

struct alignas(16) Work {
    int count;
    int stride;
};

struct Summary {
    float sum;
    float least;
    float greatest;
};

[[max_total_threads_per_threadgroup(64)]]
kernel void reduce(
    uint local [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]],
    constant Work& work [[buffer(0)]],
    const device float* numbers [[buffer(1)]],
    device Summary* partial [[buffer(2)]]
) {
    threadgroup float sums[64];
    threadgroup float lows[64];
    threadgroup float highs[64];
    int lane = int(local);
    int i = int(group.x) * 64 + lane;
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
    threadgroup_barrier(mem_flags::mem_threadgroup);
    int width = 32;
    while (width > 0) {
        if (lane < width) {
            int lane_plus_width = lane + width;
            sums[lane] += sums[lane_plus_width];
            lows[lane] = min(lows[lane], lows[lane_plus_width]);
            highs[lane] = max(highs[lane], highs[lane_plus_width]);
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        width /= 2;
    }
    if (lane == 0) {
        float sums_0 = sums[0];
        float lows_0 = lows[0];
        float highs_0 = highs[0];
        partial[group.x] = Summary{sums_0, lows_0, highs_0};
    }
}
