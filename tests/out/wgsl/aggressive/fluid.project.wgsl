struct Grid {
    size: vec2<i32>,
    dt: f32,
    decay: f32,
}

@group(0) @binding(0) var<uniform> grid: Grid;
@group(0) @binding(1) var velocity: texture_2d<f32>;
@group(0) @binding(2) var pressure: texture_2d<f32>;
@group(0) @binding(4) var<storage, read_write> target_1: array<vec2<f32>>;

fn pressure_at(place: vec2<i32>) -> f32 {
    return textureLoad(pressure, clamp(place, vec2<i32>(0), grid.size - 1), 0).x;
}

@compute @workgroup_size(8, 8)
fn project(@builtin(global_invocation_id) id: vec3<u32>) {
    let cell = vec2<i32>(id.xy);
    if (cell.x >= grid.size.x || cell.y >= grid.size.y) {
        return;
    }
    let gradient = 0.5
        * vec2<f32>(pressure_at(cell + vec2<i32>(1, 0)) - pressure_at(cell - vec2<i32>(1, 0)),
            pressure_at(cell + vec2<i32>(0, 1)) - pressure_at(cell - vec2<i32>(0, 1)));
    target_1[cell.y * grid.size.x + cell.x] = textureLoad(velocity, cell, 0).xy - gradient;
}
