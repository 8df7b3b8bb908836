// dxc -T cs_6_2 -E multiply -HV 2021

struct Shape {
    int rows;
    int inner;
    int cols;
};

ConstantBuffer<Shape> shape : register(b0);

StructuredBuffer<float> a : register(t1);
StructuredBuffer<float> b : register(t2);
RWStructuredBuffer<float> c : register(u3);

groupshared float tile_a[8][8];
groupshared float tile_b[8][8];

[numthreads(8, 8, 1)]
void multiply(uint3 global : SV_DispatchThreadID, uint3 local : SV_GroupThreadID) {
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
        float value;
        if (row_below_rows && first_plus_x < shape.inner) {
            value = a[row_times_inner + first_plus_x];
        } else {
            value = 0.0;
        }
        tile_a[y][x] = value;
        int first_plus_y = first + y;
        float value_1;
        if (first_plus_y < shape.inner && col_below_cols) {
            value_1 = b[first_plus_y * shape.cols + col];
        } else {
            value_1 = 0.0;
        }
        tile_b[y][x] = value_1;
        GroupMemoryBarrierWithGroupSync();
        for (int k = 0; k < 8; k++) {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        GroupMemoryBarrierWithGroupSync();
    }
    if (row_below_rows && col_below_cols) {
        c[row * shape.cols + col] = sum;
    }
}
