#include <metal_stdlib>

using namespace metal;

struct alignas(16) Resize {
    int2 target_size;
};

static float4 kernel_1(float t) {
    float t2 = t * t;
    float4 powers = float4(1.0, t, t2, t2 * t);
    return powers * float4x4(float4(0.0, -0.5, 1.0, -0.5), float4(1.0, 0.0, -2.5, 1.5),
        float4(0.0, 0.5, 2.0, -1.5), float4(0.0, 0.0, -0.5, 0.5));
}

static float4 texel(int2 place, texture2d<float> source) {
    return source.read(uint2(clamp(place, int2(0),
        int2(source.get_width(), source.get_height()) - 1)));
}

[[max_total_threads_per_threadgroup(64)]]
kernel void resize_bicubic(
    uint3 id [[thread_position_in_grid]],
    texture2d<float> source [[texture(0)]],
    constant Resize& resize [[buffer(0)]],
    device float4* target [[buffer(1)]]
) {
    int2 place = int2(id.xy);
    if (place.x >= resize.target_size.x || place.y >= resize.target_size.y) {
        return;
    }
    float2 scale = float2(int2(source.get_width(), source.get_height()))
        / float2(resize.target_size);
    float2 at = (float2(place) + 0.5) * scale - 0.5;
    float2 cell = floor(at);
    float4 wx = kernel_1(at.x - cell.x);
    float4 wy = kernel_1(at.y - cell.y);
    float4 sum = float4(0.0);
    for (int j = 0; j < 4; j++) {
        int j_minus_one = j - 1;
        float4 line = float4(0.0);
        for (int i = 0; i < 4; i++) {
            line += texel(int2(cell) + int2(i - 1, j_minus_one), source) * wx[i];
        }
        sum += line * wy[j];
    }
    target[place.y * resize.target_size.x + place.x] = max(sum, float4(0.0));
}
