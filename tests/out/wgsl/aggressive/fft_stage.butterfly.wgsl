struct Stage {
    size: i32,
    stride: i32,
    direction: f32,
}

@group(0) @binding(0) var<uniform> stage: Stage;
@group(0) @binding(1) var<storage, read> before: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> after: array<vec2<f32>>;

@compute @workgroup_size(32)
fn butterfly(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = i32(id.x);
    let half_size = stage.size / 2;
    if (i >= half_size) {
        return;
    }
    let row = i32(id.y) * stage.size;
    let k = i % stage.stride;
    let angle = stage.direction * 6.2831855 * f32(k) / f32(2 * stage.stride);
    let cos_angle = cos(angle);
    let sin_angle = sin(angle);
    let row_plus_i = row + i;
    let even = before[row_plus_i];
    let before_element = before[row_plus_i + half_size];
    let odd = vec2<f32>(before_element.x * cos_angle - before_element.y * sin_angle,
        before_element.x * sin_angle + before_element.y * cos_angle);
    let first = i / stage.stride * 2 * stage.stride + k;
    let row_plus_first = row + first;
    after[row_plus_first] = even + odd;
    after[row_plus_first + stage.stride] = even - odd;
}
