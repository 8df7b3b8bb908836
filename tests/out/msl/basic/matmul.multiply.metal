#include <metal_stdlib>

using namespace metal;

struct alignas(16) Shape {
    int rows;
    int inner;
    int cols;
};

static float read_a(int row, int col, constant Shape& shape, const device float* a) {
    if (row < shape.rows && col < shape.inner) {
        return a[row * shape.inner + col];
    }
    return 0.0;
}

static float read_b(int row, int col, constant Shape& shape, const device float* b) {
    if (row < shape.inner && col < shape.cols) {
        return b[row * shape.cols + col];
    }
    return 0.0;
}

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
    float sum = 0.0;
    int first = 0;
    for (int i = 0; i < 1024 && first < shape.inner; i++) {
        tile_a[y][x] = read_a(row, first + x, shape, a);
        tile_b[y][x] = read_b(first + y, col, shape, b);
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (int k = 0; k < 8; k++) {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        first += 8;
    }
    if (row < shape.rows && col < shape.cols) {
        c[row * shape.cols + col] = sum;
    }
}
