#version 450
// C = A * B for row-major matrices of any size, in tiles staged through shared memory.

const int TILE = 8;

layout(local_size_x = TILE, local_size_y = TILE) in;

layout(set = 0, binding = 0, std140) uniform Shape {
    int rows;
    int inner;
    int cols;
} shape;

layout(set = 0, binding = 1, std430) readonly buffer A { float a[]; };
layout(set = 0, binding = 2, std430) readonly buffer B { float b[]; };
layout(set = 0, binding = 3, std430) buffer C { float c[]; };

shared float tile_a[TILE][TILE];
shared float tile_b[TILE][TILE];

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

void main() {
    int row = int(gl_GlobalInvocationID.y);
    int col = int(gl_GlobalInvocationID.x);
    int y = int(gl_LocalInvocationID.y);
    int x = int(gl_LocalInvocationID.x);

    float sum = 0.0;
    for (int first = 0; first < shape.inner; first += TILE) {
        tile_a[y][x] = read_a(row, first + x);
        tile_b[y][x] = read_b(first + y, col);
        barrier();
        for (int k = 0; k < TILE; k++) {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        barrier();
    }

    if (row < shape.rows && col < shape.cols) {
        c[row * shape.cols + col] = sum;
    }
}
