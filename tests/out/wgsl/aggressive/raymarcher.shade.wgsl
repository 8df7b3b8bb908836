struct Camera {
    eye: vec3<f32>,
    focal: f32,
    basis: mat3x3<f32>,
    light: vec3<f32>,
}

@group(0) @binding(0) var<uniform> camera: Camera;

fn scene(p: vec3<f32>) -> f32 {
    let difference = distance(p, vec3<f32>(-0.4, 0.3, 0.0)) - 0.7;
    let difference_1 = distance(p, vec3<f32>(0.5, 0.1, -0.3)) - 0.5;
    let h = saturate(0.5 + (difference_1 - difference) * 1.4285715);
    let q = abs(p - vec3<f32>(1.6, 0.0, 0.8)) - vec3<f32>(0.4, 0.6, 0.3);
    let floor_ = p.y + 0.6;
    return min(min(mix(difference_1, difference, h) - 0.35 * h * (1.0 - h),
        length(max(q, vec3<f32>(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
}

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let plane = uv * 2.0 - 1.0;
    let direction = normalize(camera.basis * vec3<f32>(plane, camera.focal));
    var i = 0;
    var t = 0.01;
    var value: bool;
    loop {
        if (i >= 64) {
            value = false;
            t = 0.0;
            break;
        }
        let d = scene(camera.eye + direction * t);
        if (d < 0.002) {
            value = true;
            break;
        }
        t += d;
        if (t > 20.0) {
            value = true;
            t = -1.0;
            break;
        }
        i += 1;
    }
    let chosen = select(-1.0, t, value);
    let sky = mix(vec3<f32>(0.7, 0.8, 1.0), vec3<f32>(0.1, 0.2, 0.5), saturate(direction.y));
    if (chosen < 0.0) {
        return vec4<f32>(sky, 0.0);
    }
    let p = camera.eye + direction * chosen;
    let direction_1 =
        normalize(vec3<f32>(scene(p + vec3<f32>(0.001, 0.0, 0.0))
            - scene(p - vec3<f32>(0.001, 0.0, 0.0)),
            scene(p + vec3<f32>(0.0, 0.001, 0.0)) - scene(p - vec3<f32>(0.0, 0.001, 0.0)),
            scene(p + vec3<f32>(0.0, 0.0, 0.001)) - scene(p - vec3<f32>(0.0, 0.0, 0.001))));
    let sum = p + direction_1 * 0.02;
    var i_1 = 0;
    var t_1 = 0.01;
    var value_1: bool;
    loop {
        if (i_1 >= 64) {
            value_1 = false;
            t_1 = 0.0;
            break;
        }
        let d = scene(sum + camera.light * t_1);
        if (d < 0.002) {
            value_1 = true;
            break;
        }
        t_1 += d;
        if (t_1 > 20.0) {
            value_1 = true;
            t_1 = -1.0;
            break;
        }
        i_1 += 1;
    }
    let diffuse = max(dot(direction_1, camera.light), 0.0);
    let fog = exp(-0.08 * chosen);
    let lit = vec3<f32>(0.9, 0.7, 0.5)
        * (0.15 + select(diffuse, diffuse * 0.25, select(-1.0, t_1, value_1) > 0.0));
    return vec4<f32>(mix(sky, lit, fog), chosen);
}
