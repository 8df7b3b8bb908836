#include <metal_stdlib>

using namespace metal;

struct alignas(16) View {
    float2 center;
    float2 extent;
    uint2 size;
};

constant int MAX_STEPS_given [[function_constant(3)]];
constant int MAX_STEPS = is_function_constant_defined(MAX_STEPS_given) ? MAX_STEPS_given : 64;

[[max_total_threads_per_threadgroup(64)]]
kernel void mandelbrot(
    uint3 id [[thread_position_in_grid]],
    constant View& view [[buffer(0)]],
    device int* steps [[buffer(1)]]
) {
    if (id.x >= view.size.x || id.y >= view.size.y) {
        return;
    }
    float2 at = (float2(id.xy) + 0.5) / float2(view.size) - 0.5;
    float2 sum = view.center + at * view.extent;
    int least = min(MAX_STEPS, 1000);
    float2 z = float2(0.0);
    int n = 0;
    while (n < least && dot(z, z) <= 4.0) {
        z = float2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + sum;
        n += 1;
    }
    steps[id.y * view.size.x + id.x] = n;
}
