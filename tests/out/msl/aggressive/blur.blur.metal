#include <metal_stdlib>

using namespace metal;

struct alignas(16) Image {
    int2 size;
};

constant bool VERTICAL_given [[function_constant(0)]];
constant bool VERTICAL = is_function_constant_defined(VERTICAL_given) ? VERTICAL_given : false;
constant float WEIGHTS[5] = {0.227027, 0.1945946, 0.1216216, 0.054054, 0.016216};

static float4 fetch(int2 place, constant Image& image, const device float4* source) {
    int2 p = clamp(place, int2(0), image.size - 1);
    return source[p.y * image.size.x + p.x];
}

[[max_total_threads_per_threadgroup(32)]]
kernel void blur(
    uint3 local [[thread_position_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]],
    constant Image& image [[buffer(0)]],
    const device float4* source [[buffer(1)]],
    device float4* target [[buffer(2)]]
) {
    threadgroup float4 row[40];
    int lane = int(local.x);
    int first = int(group.x) * 32;
    int line = int(group.y);
    int2 axis = VERTICAL ? int2(0, 1) : int2(1, 0);
    int2 across = axis.yx * line;
    int lane_plus_4 = lane + 4;
    int first_plus_lane = first + lane;
    int2 place = axis * first_plus_lane + across;
    row[lane_plus_4] = fetch(place, image, source);
    if (lane < 4) {
        row[lane] = fetch(axis * (first_plus_lane - 4) + across, image, source);
        row[lane_plus_4 + 32] = fetch(axis * (first_plus_lane + 32) + across, image, source);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float4 sum = row[lane_plus_4] * 0.227027;
    for (int i = 1; i < 5; i++) {
        sum += (row[lane_plus_4 - i] + row[lane_plus_4 + i]) * WEIGHTS[i];
    }
    if (place.x < image.size.x && place.y < image.size.y) {
        target[place.y * image.size.x + place.x] = sum;
    }
}
