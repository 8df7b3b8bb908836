struct Cloth {
    size: vec2<i32>,
    gravity: vec3<f32>,
    dt: f32,
    rest: f32,
    stiffness: f32,
    damping: f32,
}

@group(0) @binding(0) var<uniform> cloth: Cloth;
@group(0) @binding(1) var<storage, read_write> now: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> last: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> next: array<vec4<f32>>;

@compute @workgroup_size(8, 8)
fn step_cloth(@builtin(global_invocation_id) id: vec3<u32>) {
    let cell = vec2<i32>(id.xy);
    if (cell.x >= cloth.size.x || cell.y >= cloth.size.y) {
        return;
    }
    let i = cell.y * cloth.size.x + cell.x;
    let node = now[i];
    if (node.w == 0.0) {
        next[i] = node;
        return;
    }
    var force = cloth.gravity * (1.0 / node.w);
    for (var y = -1; y < 2; y++) {
        let y_is_not_0 = y != 0;
        let cell_y_plus_y = cell.y + y;
        let is_below = cell_y_plus_y < 0;
        let is_at_least = cell_y_plus_y >= cloth.size.y;
        let product = cell_y_plus_y * cloth.size.x;
        let y_float = f32(y);
        for (var x = -1; x < 2; x++) {
            if (x != 0 || y_is_not_0) {
                let cell_x_plus_x = cell.x + x;
                var value: vec3<f32>;
                if (cell_x_plus_x < 0 || is_below) {
                    value = vec3<f32>(0.0);
                } else if (cell_x_plus_x >= cloth.size.x || is_at_least) {
                    value = vec3<f32>(0.0);
                } else {
                    let across = now[product + cell_x_plus_x].xyz - node.xyz;
                    let reach = max(length(across), 0.00001);
                    let rest = cloth.rest * length(vec2<f32>(f32(x), y_float));
                    value = across * ((reach - rest) / reach * cloth.stiffness);
                }
                force += value;
            }
        }
    }
    let velocity = (node.xyz - last[i].xyz) * (1.0 - cloth.damping);
    let moved = node.xyz + velocity + force * (node.w * cloth.dt * cloth.dt);
    next[i] = vec4<f32>(moved, node.w);
}
