struct Scene {
    to_world: mat4x4<f32>,
    eye: vec3<f32>,
    size: vec3<i32>,
    to_sun: vec3<f32>,
}

struct Hit {
    found: bool,
    cell: vec3<i32>,
    normal: vec3<f32>,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var<storage, read> voxels: array<u32>;

fn voxel_at(cell: vec3<i32>) -> u32 {
    return voxels[(cell.z * scene.size.y + cell.y) * scene.size.x + cell.x];
}

fn trace(origin: vec3<f32>, direction: vec3<f32>) -> Hit {
    let miss = Hit(false, vec3<i32>(0), vec3<f32>(0.0));
    let inverse_direction = 1.0 / direction;
    let a = -origin * inverse_direction;
    let b = (vec3<f32>(scene.size) - origin) * inverse_direction;
    let near = min(a, b);
    let far = max(a, b);
    let greatest = max(max(near.x, near.y), max(near.z, 0.0));
    if (greatest >= min(far.x, min(far.y, far.z))) {
        return miss;
    }
    let start = origin + direction * (greatest + 0.0001);
    var cell = vec3<i32>(floor(start));
    let forward = vec3<i32>(sign(direction));
    let delta = abs(inverse_direction);
    let edge = vec3<f32>(cell) + step(vec3<f32>(0.0), direction);
    var next = (edge - start) * inverse_direction;
    let next_normal = vec3<f32>(-f32(forward.x), 0.0, 0.0);
    let next_normal_1 = vec3<f32>(0.0, -f32(forward.y), 0.0);
    let next_normal_2 = vec3<f32>(0.0, 0.0, -f32(forward.z));
    var normal = vec3<f32>(0.0);
    for (var _i = 0; _i < 128; _i++) {
        if (any(cell < vec3<i32>(0)) || any(cell >= scene.size)) {
            return miss;
        }
        if (voxel_at(cell) != 0u) {
            return Hit(true, cell, normal);
        }
        if (next.x < min(next.y, next.z)) {
            cell.x += forward.x;
            next.x += delta.x;
            normal = next_normal;
        } else if (next.y < next.z) {
            cell.y += forward.y;
            next.y += delta.y;
            normal = next_normal_1;
        } else {
            cell.z += forward.z;
            next.z += delta.z;
            normal = next_normal_2;
        }
    }
    return miss;
}

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let far = scene.to_world * vec4<f32>(uv * 2.0 - 1.0, 1.0, 1.0);
    let direction = normalize(far.xyz * (1.0 / far.w) - scene.eye);
    let hit = trace(scene.eye, direction);
    if (!hit.found) {
        return vec4<f32>(mix(vec3<f32>(0.8, 0.9, 1.0), vec3<f32>(0.3, 0.5, 0.9), direction.y), 1.0);
    }
    let packed = voxel_at(hit.cell);
    let light = 0.3 + 0.7 * max(dot(hit.normal, scene.to_sun), 0.0);
    return vec4<f32>(unpack4x8unorm(packed).xyz * light, 1.0);
}
