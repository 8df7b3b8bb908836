#include <metal_stdlib>

using namespace metal;

struct Grid {
    int2 size;
    float dt;
    float decay;
};

static float pressure_at(int2 place, constant Grid& grid, texture2d<float> pressure) {
    return pressure.read(uint2(clamp(place, int2(0), grid.size - 1))).x;
}

[[max_total_threads_per_threadgroup(64)]]
kernel void project(
    uint3 id [[thread_position_in_grid]],
    constant Grid& grid [[buffer(0)]],
    texture2d<float> velocity [[texture(0)]],
    texture2d<float> pressure [[texture(1)]],
    device float2* target [[buffer(1)]]
) {
    int2 cell = int2(id.xy);
    if (cell.x >= grid.size.x || cell.y >= grid.size.y) {
        return;
    }
    float2 gradient = 0.5
        * float2(pressure_at(cell + int2(1, 0), grid, pressure)
            - pressure_at(cell - int2(1, 0), grid, pressure),
            pressure_at(cell + int2(0, 1), grid, pressure)
            - pressure_at(cell - int2(0, 1), grid, pressure));
    target[cell.y * grid.size.x + cell.x] = velocity.read(uint2(cell)).xy - gradient;
}
