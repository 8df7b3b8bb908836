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
    let balls = mix(difference_1, difference, h) - 0.35 * h * (1.0 - h);
    let q = abs(p - vec3<f32>(1.6, 0.0, 0.8)) - vec3<f32>(0.4, 0.6, 0.3);
    let box = length(max(q, vec3<f32>(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0);
    let floor_ = p.y + 0.6;
    return min(min(balls, box), floor_);
}

fn march(origin: vec3<f32>, direction: vec3<f32>) -> f32 {
    var t = 0.01;
    for (var i = 0; i < 64; i++) {
        let d = scene(origin + direction * t);
        if (d < 0.002) {
            return t;
        }
        t += d;
        if (t > 20.0) {
            return -1.0;
        }
    }
    return -1.0;
}

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let plane = uv * 2.0 - 1.0;
    let direction = normalize(camera.basis * vec3<f32>(plane, camera.focal));
    let sky = mix(vec3<f32>(0.7, 0.8, 1.0), vec3<f32>(0.1, 0.2, 0.5), saturate(direction.y));
    let t = march(camera.eye, direction);
    if (t < 0.0) {
        return vec4<f32>(sky, 0.0);
    }
    let p = camera.eye + direction * t;
    let n = normalize(vec3<f32>(scene(p + vec3<f32>(0.001, 0.0, 0.0))
        - scene(p - vec3<f32>(0.001, 0.0, 0.0)),
        scene(p + vec3<f32>(0.0, 0.001, 0.0)) - scene(p - vec3<f32>(0.0, 0.001, 0.0)),
        scene(p + vec3<f32>(0.0, 0.0, 0.001)) - scene(p - vec3<f32>(0.0, 0.0, 0.001))));
    let diffuse = max(dot(n, camera.light), 0.0);
    let fog = exp(-0.08 * t);
    let lit = vec3<f32>(0.9, 0.7, 0.5)
        * (0.15 + select(diffuse, diffuse * 0.25, march(p + n * 0.02, camera.light) > 0.0));
    return vec4<f32>(mix(sky, lit, fog), t);
}
