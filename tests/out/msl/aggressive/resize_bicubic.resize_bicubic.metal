#include <metal_stdlib>

using namespace metal;

struct alignas(16) Resize {
    int2 target_size;
};

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
    float at_x_minus_cell_x = at.x - cell.x;
    float product = at_x_minus_cell_x * at_x_minus_cell_x;
    float4 powers = float4(1.0, at_x_minus_cell_x, product, product * at_x_minus_cell_x);
    float4x4 basis = float4x4(float4(0.0, -0.5, 1.0, -0.5), float4(1.0, 0.0, -2.5, 1.5),
        float4(0.0, 0.5, 2.0, -1.5), float4(0.0, 0.0, -0.5, 0.5));
    float4 transformed = powers * basis;
    float at_y_minus_cell_y = at.y - cell.y;
    float product_1 = at_y_minus_cell_y * at_y_minus_cell_y;
    powers = float4(1.0, at_y_minus_cell_y, product_1, product_1 * at_y_minus_cell_y);
    float4 transformed_1 = powers * basis;
    float4 sum = float4(0.0);
    for (int j = 0; j < 4; j++) {
        int j_minus_one = j - 1;
        float4 line = float4(0.0);
        for (int i = 0; i < 4; i++) {
            line += source.read(uint2(clamp(int2(cell) + int2(i - 1, j_minus_one), int2(0),
                int2(source.get_width(), source.get_height()) - 1))) * transformed[i];
        }
        sum += line * transformed_1[j];
    }
    target[place.y * resize.target_size.x + place.x] = max(sum, float4(0.0));
}
