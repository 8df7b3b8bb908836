// A torus and a box melt into each other above a floor: sphere tracing, normal, one light.

const MAX_STEPS: i32 = 64;
const MAX_DISTANCE: f32 = 40.0;
const EPSILON: f32 = 0.001;

struct Frame {
    eye: vec3<f32>,
    time: f32,
    to_light: vec3<f32>,
    aspect: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;

fn sd_box(p: vec3<f32>, size: vec3<f32>) -> f32 {
    let q = abs(p) - size;
    return length(max(q, vec3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0);
}

fn sd_torus(p: vec3<f32>, radii: vec2<f32>) -> f32 {
    let q = vec2(length(p.xz) - radii.x, p.y);
    return length(q) - radii.y;
}

fn smooth_min(a: f32, b: f32, k: f32) -> f32 {
    let h = clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
    return mix(b, a, h) - k * h * (1.0 - h);
}

fn scene(p: vec3<f32>) -> f32 {
    let s = sin(frame.time);
    let c = cos(frame.time);
    let turned = vec3(c * p.x - s * p.z, p.y, s * p.x + c * p.z);
    let box = sd_box(turned - vec3(0.4, 0.0, 0.0), vec3(0.5, 0.7, 0.5));
    let torus = sd_torus(p, vec2(1.0, 0.35));
    let ground = p.y + 1.0;
    return min(smooth_min(box, torus, 0.3), ground);
}

fn scene_normal(p: vec3<f32>) -> vec3<f32> {
    let e = vec2(EPSILON, 0.0);
    return normalize(vec3(
        scene(p + e.xyy) - scene(p - e.xyy),
        scene(p + e.yxy) - scene(p - e.yxy),
        scene(p + e.yyx) - scene(p - e.yyx),
    ));
}

fn march(origin: vec3<f32>, direction: vec3<f32>) -> f32 {
    var t = 0.0;
    for (var i = 0; i < MAX_STEPS; i++) {
        let d = scene(origin + direction * t);
        if (d < EPSILON) {
            return t;
        }
        t += d;
        if (t > MAX_DISTANCE) {
            return -1.0;
        }
    }
    return -1.0;
}

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let plane = (uv * 2.0 - 1.0) * vec2(frame.aspect, 1.0);
    let forward = normalize(-frame.eye);
    let right = normalize(cross(forward, vec3(0.0, 1.0, 0.0)));
    let up = cross(right, forward);
    let direction = normalize(forward * 1.5 + right * plane.x + up * plane.y);

    let sky = mix(vec3(0.8, 0.85, 0.9), vec3(0.2, 0.4, 0.8), clamp(direction.y, 0.0, 1.0));
    let t = march(frame.eye, direction);
    if (t < 0.0) {
        return vec4(sky, 1.0);
    }

    let p = frame.eye + direction * t;
    let n = scene_normal(p);
    let l = normalize(frame.to_light);
    let diffuse = max(dot(n, l), 0.0);
    let specular = pow(max(dot(n, normalize(l - direction)), 0.0), 32.0);
    let lit = vec3(0.8, 0.5, 0.3) * (0.2 + 0.8 * diffuse) + vec3(0.5) * specular;
    let fog = 1.0 - exp(-0.02 * t * t);
    return vec4(mix(lit, sky, fog), 1.0);
}
