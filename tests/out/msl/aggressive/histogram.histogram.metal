#include <metal_stdlib>

using namespace metal;

struct alignas(16) Range {
    float min_log;
    float inverse_range;
};

struct Result {
    uint darkest;
    uint brightest;
    uint bins[64];
};

[[max_total_threads_per_threadgroup(64)]]
kernel void histogram(
    uint3 global [[thread_position_in_grid]],
    uint lane [[thread_index_in_threadgroup]],
    constant Range& range [[buffer(0)]],
    const device float4* pixels [[buffer(1)]],
    device Result& result [[buffer(2)]],
    constant uint* buffer_sizes [[buffer(3)]]
) {
    threadgroup uint bins[64];
    uint pixels_size = buffer_sizes[1];
    bins[lane] = 0u;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (int(global.x) < int(pixels_size / 16u)) {
        float l = dot(pixels[global.x].xyz, float3(0.2126, 0.7152, 0.0722));
        uint bin;
        if (l < 0.001) {
            bin = 0u;
        } else {
            float t = saturate((log2(l) - range.min_log) * range.inverse_range);
            bin = uint(t * 62.0 + 1.0);
        }
        atomic_fetch_add_explicit((threadgroup atomic_uint*)&bins[bin], 1u, memory_order_relaxed);
        atomic_fetch_min_explicit((device atomic_uint*)&result.darkest, bin, memory_order_relaxed);
        atomic_fetch_max_explicit((device atomic_uint*)&result.brightest, bin,
            memory_order_relaxed);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint bin = bins[lane];
    if (bin != 0u) {
        atomic_fetch_add_explicit((device atomic_uint*)&result.bins[lane], bin,
            memory_order_relaxed);
    }
}
