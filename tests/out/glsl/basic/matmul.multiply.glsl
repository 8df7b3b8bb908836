#version 450

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

layout(set = 0, binding = 0, std140) uniform Shape {
    int rows;
    int inner;
    int cols;
} shape;

layout(set = 0, binding = 1, std430) readonly buffer ABuffer {
    float a[];
};

layout(set = 0, binding = 2, std430) readonly buffer BBuffer {
    float b[];
};

layout(set = 0, binding = 3, std430) buffer CBuffer {
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
        memoryBarrierShared();
        barrier();
        for (int k = 0; k < 8; k++) {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        memoryBarrierShared();
        barrier();
        first += 8;
    }
    if (row < shape.rows && col < shape.cols) {
        c[row * shape.cols + col] = sum;
    }
}
