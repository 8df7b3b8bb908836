#include <metal_stdlib>

using namespace metal;

struct alignas(16) Stage {
    int size;
    int stride;
    float direction;
};

[[max_total_threads_per_threadgroup(32)]]
kernel void butterfly(
    uint3 id [[thread_position_in_grid]],
    constant Stage& stage [[buffer(0)]],
    const device float2* before [[buffer(1)]],
    device float2* after [[buffer(2)]]
) {
    int i = int(id.x);
    int half_size = stage.size / 2;
    if (i >= half_size) {
        return;
    }
    int row = int(id.y) * stage.size;
    int k = i % stage.stride;
    float angle = stage.direction * 6.2831855 * float(k) / float(2 * stage.stride);
    float cos_angle = cos(angle);
    float sin_angle = sin(angle);
    int row_plus_i = row + i;
    float2 even = before[row_plus_i];
    float2 before_element = before[row_plus_i + half_size];
    float2 odd = float2(before_element.x * cos_angle - before_element.y * sin_angle,
        before_element.x * sin_angle + before_element.y * cos_angle);
    int first = i / stage.stride * 2 * stage.stride + k;
    int row_plus_first = row + first;
    after[row_plus_first] = even + odd;
    after[row_plus_first + stage.stride] = even - odd;
}
