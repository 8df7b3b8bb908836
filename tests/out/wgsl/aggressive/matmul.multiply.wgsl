struct Shape {
    rows: i32,
    inner: i32,
    cols: i32,
}

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

var<workgroup> tile_a: array<array<f32, 8>, 8>;
var<workgroup> tile_b: array<array<f32, 8>, 8>;

@compute @workgroup_size(8, 8)
fn multiply(@builtin(global_invocation_id) global: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>) {
    let row = i32(global.y);
    let col = i32(global.x);
    let y = i32(local.y);
    let x = i32(local.x);
    let least = min(shape.inner, 8192);
    let row_below_rows = row < shape.rows;
    let row_times_inner = row * shape.inner;
    let col_below_cols = col < shape.cols;
    var sum = 0.0;
    for (var first = 0; first < least; first += 8) {
        let first_plus_x = first + x;
        var value: f32;
        if (row_below_rows && first_plus_x < shape.inner) {
            value = a[row_times_inner + first_plus_x];
        } else {
            value = 0.0;
        }
        tile_a[y][x] = value;
        let first_plus_y = first + y;
        var value_1: f32;
        if (first_plus_y < shape.inner && col_below_cols) {
            value_1 = b[first_plus_y * shape.cols + col];
        } else {
            value_1 = 0.0;
        }
        tile_b[y][x] = value_1;
        workgroupBarrier();
        for (var k = 0; k < 8; k++) {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        workgroupBarrier();
    }
    if (row_below_rows && col_below_cols) {
        c[row * shape.cols + col] = sum;
    }
}
