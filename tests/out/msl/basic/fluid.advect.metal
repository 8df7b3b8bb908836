#include <metal_stdlib>

using namespace metal;

struct Grid {
    int2 size;
    float dt;
    float decay;
};

static void store(int2 place, float2 value, constant Grid& grid, device float2* target) {
    target[place.y * grid.size.x + place.x] = value;
}

[[max_total_threads_per_threadgroup(64)]]
kernel void advect(
    uint3 id [[thread_position_in_grid]],
    constant Grid& grid [[buffer(0)]],
    texture2d<float> velocity [[texture(0)]],
    sampler linear [[sampler(0)]],
    device float2* target [[buffer(1)]]
) {
    int2 cell = int2(id.xy);
    if (cell.x >= grid.size.x || cell.y >= grid.size.y) {
        return;
    }
    float2 speed = velocity.read(uint2(cell)).xy;
    float2 origin = (float2(cell) + 0.5 - speed * grid.dt) / float2(grid.size);
    store(cell, velocity.sample(linear, origin, level(0.0)).xy * exp(-grid.decay * grid.dt), grid,
        target);
}
