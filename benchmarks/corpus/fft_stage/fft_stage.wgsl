// One stage of Stockham's radix-2 FFT over the rows of an image of complex numbers.

const TAU: f32 = 6.283185307179586;

struct Stage {
    size: i32,      // numbers in a row, a power of two
    stride: i32,    // 1, 2, 4, ... up to half of the size
    direction: f32, // -1 forward, 1 back
}

@group(0) @binding(0) var<uniform> stage: Stage;
@group(0) @binding(1) var<storage, read> before: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> after: array<vec2<f32>>;

fn complex_mul(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

@compute @workgroup_size(32)
fn butterfly(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = i32(id.x);
    let half_size = stage.size / 2;
    if (i >= half_size) {
        return;
    }

    let row = i32(id.y) * stage.size;
    let k = i % stage.stride;
    let angle = stage.direction * TAU * f32(k) / f32(2 * stage.stride);
    let twiddle = vec2(cos(angle), sin(angle));
    let even = before[row + i];
    let odd = complex_mul(before[row + i + half_size], twiddle);
    let first = (i / stage.stride) * 2 * stage.stride + k;
    after[row + first] = even + odd;
    after[row + first + stage.stride] = even - odd;
}
