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

fn pull(place: vec3<f32>, neighbour: vec2<i32>, rest: f32) -> vec3<f32> {
    if (neighbour.x < 0 || neighbour.y < 0) {
        return vec3<f32>(0.0);
    }
    if (neighbour.x >= cloth.size.x || neighbour.y >= cloth.size.y) {
        return vec3<f32>(0.0);
    }
    let across = now[neighbour.y * cloth.size.x + neighbour.x].xyz - place;
    let reach = max(length(across), 0.00001);
    return across * ((reach - rest) / reach * cloth.stiffness);
}

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
    var force = cloth.gravity / node.w;
    for (var y = -1; y < 2; y++) {
        let y_is_not_0 = y != 0;
        let y_float = f32(y);
        for (var x = -1; x < 2; x++) {
            if (x != 0 || y_is_not_0) {
                let rest = cloth.rest * length(vec2<f32>(f32(x), y_float));
                force += pull(node.xyz, cell + vec2<i32>(x, y), rest);
            }
        }
    }
    let velocity = (node.xyz - last[i].xyz) * (1.0 - cloth.damping);
    let moved = node.xyz + velocity + force * (node.w * cloth.dt * cloth.dt);
    next[i] = vec4<f32>(moved, node.w);
}
