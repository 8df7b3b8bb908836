struct Grid {
    size: vec2<i32>,
    dt: f32,
    decay: f32,
}

@group(0) @binding(0) var<uniform> grid: Grid;
@group(0) @binding(1) var velocity: texture_2d<f32>;
@group(0) @binding(3) var linear: sampler;
@group(0) @binding(4) var<storage, read_write> target_1: array<vec2<f32>>;

fn store(place: vec2<i32>, value: vec2<f32>) {
    target_1[place.y * grid.size.x + place.x] = value;
}

@compute @workgroup_size(8, 8)
fn advect(@builtin(global_invocation_id) id: vec3<u32>) {
    let cell = vec2<i32>(id.xy);
    if (cell.x >= grid.size.x || cell.y >= grid.size.y) {
        return;
    }
    let speed = textureLoad(velocity, cell, 0).xy;
    let origin = (vec2<f32>(cell) + 0.5 - speed * grid.dt) / vec2<f32>(grid.size);
    store(cell, textureSampleLevel(velocity, linear, origin, 0.0).xy * exp(-grid.decay * grid.dt));
}
