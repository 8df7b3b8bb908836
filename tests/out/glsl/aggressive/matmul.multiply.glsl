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

void main() {
    int row = int(gl_GlobalInvocationID.y);
    int col = int(gl_GlobalInvocationID.x);
    int y = int(gl_LocalInvocationID.y);
    int x = int(gl_LocalInvocationID.x);
    int least = min(shape.inner, 8192);
    bool row_below_rows = row < shape.rows;
    int row_times_inner = row * shape.inner;
    bool col_below_cols = col < shape.cols;
    float sum = 0.0;
    for (int first = 0; first < least; first += 8) {
        int first_plus_x = first + x;
        float value = row_below_rows && first_plus_x < shape.inner
            ? a[row_times_inner + first_plus_x] : 0.0;
        tile_a[y][x] = value;
        int first_plus_y = first + y;
        float value_1 = first_plus_y < shape.inner && col_below_cols
            ? b[first_plus_y * shape.cols + col] : 0.0;
        tile_b[y][x] = value_1;
        barrier();
        for (int k = 0; k < 8; k++) {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        barrier();
    }
    if (row_below_rows && col_below_cols) {
        c[row * shape.cols + col] = sum;
    }
}
