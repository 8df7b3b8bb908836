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

float read_a(int row, int col) {
    if (row < shape.rows && col < shape.inner) {
        return a[row * shape.inner + col];
    }
    return 0.0;
}

float read_b(int row, int col) {
    if (row < shape.inner && col < shape.cols) {
        return b[row * shape.cols + col];
    }
    return 0.0;
}

[numthreads(8, 8, 1)]
void multiply(uint3 global : SV_DispatchThreadID, uint3 local : SV_GroupThreadID) {
    int row = int(global.y);
    int col = int(global.x);
    int y = int(local.y);
    int x = int(local.x);
    float sum = 0.0;
    int first = 0;
    for (int i = 0; i < 1024 && first < shape.inner; i++) {
        tile_a[y][x] = read_a(row, first + x);
        tile_b[y][x] = read_b(first + y, col);
        GroupMemoryBarrierWithGroupSync();
        for (int k = 0; k < 8; k++) {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        GroupMemoryBarrierWithGroupSync();
        first += 8;
    }
    if (row < shape.rows && col < shape.cols) {
        c[row * shape.cols + col] = sum;
    }
}
