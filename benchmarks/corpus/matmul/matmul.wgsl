// C = A * B for row-major matrices of any size, in tiles staged through shared memory.

const TILE: i32 = 8;

struct Shape {
    rows: i32,
    inner: i32,
    cols: i32,
}

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

var<workgroup> tile_a: array<array<f32, TILE>, TILE>;
var<workgroup> tile_b: array<array<f32, TILE>, TILE>;

fn read_a(row: i32, col: i32) -> f32 {
    if (row < shape.rows && col < shape.inner) {
        return a[row * shape.inner + col];
    }
    return 0.0;
}

fn read_b(row: i32, col: i32) -> f32 {
    if (row < shape.inner && col < shape.cols) {
        return b[row * shape.cols + col];
    }
    return 0.0;
}

@compute @workgroup_size(TILE, TILE)
fn multiply(
    @builtin(global_invocation_id) global: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let row = i32(global.y);
    let col = i32(global.x);
    let y = i32(local.y);
    let x = i32(local.x);

    var sum = 0.0;
    for (var first = 0; first < shape.inner; first += TILE) {
        tile_a[y][x] = read_a(row, first + x);
        tile_b[y][x] = read_b(first + y, col);
        workgroupBarrier();
        for (var k = 0; k < TILE; k++) {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        workgroupBarrier();
    }

    if (row < shape.rows && col < shape.cols) {
        c[row * shape.cols + col] = sum;
    }
}
