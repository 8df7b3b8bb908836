// dxc -T cs_6_2 -E multiply -HV 2021
// C = A * B for row-major matrices of any size, in tiles staged through shared memory.

static const int TILE = 8;

struct Shape {
    int rows;
    int inner;
    int cols;
};

ConstantBuffer<Shape> shape : register(b0, space0);

StructuredBuffer<float> a : register(t1, space0);
StructuredBuffer<float> b : register(t2, space0);
RWStructuredBuffer<float> c : register(u3, space0);

groupshared float tile_a[TILE][TILE];
groupshared float tile_b[TILE][TILE];

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

[numthreads(TILE, TILE, 1)]
void multiply(uint3 global : SV_DispatchThreadID, uint3 local : SV_GroupThreadID) {
    int row = int(global.y);
    int col = int(global.x);
    int y = int(local.y);
    int x = int(local.x);

    float sum = 0.0;
    for (int first = 0; first < shape.inner; first += TILE) {
        tile_a[y][x] = read_a(row, first + x);
        tile_b[y][x] = read_b(first + y, col);
        GroupMemoryBarrierWithGroupSync();
        for (int k = 0; k < TILE; k++) {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        GroupMemoryBarrierWithGroupSync();
    }

    if (row < shape.rows && col < shape.cols) {
        c[row * shape.cols + col] = sum;
    }
}
