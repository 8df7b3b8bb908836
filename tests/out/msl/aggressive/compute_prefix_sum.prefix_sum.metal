#include <metal_stdlib>

using namespace metal;

[[max_total_threads_per_threadgroup(128)]]
kernel void prefix_sum(
    uint3 global [[thread_position_in_grid]],
    uint lane [[thread_index_in_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]],
    const device uint* values [[buffer(0)]],
    device uint* sums [[buffer(1)]],
    device uint* totals [[buffer(2)]],
    constant uint* buffer_sizes [[buffer(3)]]
) {
    threadgroup uint ping[128];
    threadgroup uint pong[128];
    uint values_size = buffer_sizes[0];
    uint sums_size = buffer_sizes[1];
    ping[lane] = 0u;
    uint i = global.x;
    if (i < uint(int(values_size / 4u))) {
        ping[lane] = values[i];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint step_1 = 1u; step_1 < 128u; step_1 <<= 1u) {
        if (lane >= step_1) {
            pong[lane] = ping[lane] + ping[lane - step_1];
        } else {
            pong[lane] = ping[lane];
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        ping[lane] = pong[lane];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (i < uint(int(sums_size / 4u))) {
        sums[i] = ping[lane];
    }
    if (lane == 127u) {
        totals[group.x] = ping[lane];
    }
}
