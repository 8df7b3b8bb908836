struct View {
    center: vec2<f32>,
    extent: vec2<f32>,
    size: vec2<u32>,
}

@id(3) override MAX_STEPS: i32 = 64;

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read_write> steps: array<i32>;

@compute @workgroup_size(8, 8)
fn mandelbrot(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= view.size.x || id.y >= view.size.y) {
        return;
    }
    let at = (vec2<f32>(id.xy) + 0.5) / vec2<f32>(view.size) - 0.5;
    let sum = view.center + at * view.extent;
    let least = min(MAX_STEPS, 1000);
    var z = vec2<f32>(0.0);
    var n = 0;
    while (n < least && dot(z, z) <= 4.0) {
        z = vec2<f32>(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + sum;
        n += 1;
    }
    steps[id.y * view.size.x + id.x] = n;
}
