#version 450

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 0, std140) uniform Shape {
    int rows;
    int inner;
    int cols;
} shape;

layout(binding = 1, std430) readonly buffer A {
    float a[];
};

layout(binding = 2, std430) readonly buffer B {
    float b[];
};

layout(binding = 3, std430) buffer C {
    float c[];
};

shared float tile_a[8][8];
shared float tile_b[8][8];

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
    int first = 0;
    for (int i = 0; i < 1024 && first < shape.inner; i++) {
        tile_a[y][x] = read_a(row, first + x);
        tile_b[y][x] = read_b(first + y, col);
        barrier();
        for (int k = 0; k < 8; k++) {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        barrier();
        first += 8;
    }
    if (row < shape.rows && col < shape.cols) {
        c[row * shape.cols + col] = sum;
    }
}
