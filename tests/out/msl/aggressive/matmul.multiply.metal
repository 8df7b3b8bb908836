#include <metal_stdlib>

using namespace metal;

struct alignas(16) Shape {
    int rows;
    int inner;
    int cols;
};

[[max_total_threads_per_threadgroup(64)]]
kernel void multiply(
    uint3 global [[thread_position_in_grid]],
    uint3 local [[thread_position_in_threadgroup]],
    constant Shape& shape [[buffer(0)]],
    const device float* a [[buffer(1)]],
    const device float* b [[buffer(2)]],
    device float* c [[buffer(3)]]
) {
    threadgroup float tile_a[8][8];
    threadgroup float tile_b[8][8];
    int row = int(global.y);
    int col = int(global.x);
    int y = int(local.y);
    int x = int(local.x);
    int least = min(shape.inner, 8192);
    bool row_below_rows = row < shape.rows;
    int row_times_inner = row * shape.inner;
    bool col_below_cols = col < shape.cols;
    float sum = 0.0;
    for (int first = 0; first < least; first += 8) {
        int first_plus_x = first + x;
        float value = row_below_rows && first_plus_x < shape.inner
            ? a[row_times_inner + first_plus_x] : 0.0;
        tile_a[y][x] = value;
        int first_plus_y = first + y;
        float value_1 = first_plus_y < shape.inner && col_below_cols
            ? b[first_plus_y * shape.cols + col] : 0.0;
        tile_b[y][x] = value_1;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (int k = 0; k < 8; k++) {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (row_below_rows && col_below_cols) {
        c[row * shape.cols + col] = sum;
    }
}
