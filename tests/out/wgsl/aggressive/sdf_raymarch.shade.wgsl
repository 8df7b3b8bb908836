struct Frame {
    eye: vec3<f32>,
    time: f32,
    to_light: vec3<f32>,
    aspect: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;

fn scene(p: vec3<f32>) -> f32 {
    let s = sin(frame.time);
    let c = cos(frame.time);
    let turned = vec3<f32>(c * p.x - s * p.z, p.y, s * p.x + c * p.z);
    let q = abs(turned - vec3<f32>(0.4, 0.0, 0.0)) - vec3<f32>(0.5, 0.7, 0.5);
    let box = length(max(q, vec3<f32>(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0);
    let q_1 = vec2<f32>(length(p.xz) - 1.0, p.y);
    let torus = length(q_1) - 0.35;
    let ground = p.y + 1.0;
    let h = saturate(0.5 + (torus - box) * 1.6666666);
    return min(mix(torus, box, h) - 0.3 * h * (1.0 - h), ground);
}

fn march(origin: vec3<f32>, direction: vec3<f32>) -> f32 {
    var t = 0.0;
    for (var i = 0; i < 64; i++) {
        let d = scene(origin + direction * t);
        if (d < 0.001) {
            return t;
        }
        t += d;
        if (t > 40.0) {
            return -1.0;
        }
    }
    return -1.0;
}

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let unit_eye = normalize(frame.eye);
    let forward = -unit_eye;
    let right = normalize(cross(forward, vec3<f32>(0.0, 1.0, 0.0)));
    let up = cross(right, forward);
    let direction =
        normalize(right * ((uv.x * 2.0 - 1.0) * frame.aspect) - 1.5 * unit_eye
            + up * (uv.y * 2.0 - 1.0));
    let sky = mix(vec3<f32>(0.8, 0.85, 0.9), vec3<f32>(0.2, 0.4, 0.8), saturate(direction.y));
    let t = march(frame.eye, direction);
    if (t < 0.0) {
        return vec4<f32>(sky, 1.0);
    }
    let p = frame.eye + direction * t;
    let n = normalize(vec3<f32>(scene(p + vec3<f32>(0.001, 0.0, 0.0))
        - scene(p - vec3<f32>(0.001, 0.0, 0.0)),
        scene(p + vec3<f32>(0.0, 0.001, 0.0)) - scene(p - vec3<f32>(0.0, 0.001, 0.0)),
        scene(p + vec3<f32>(0.0, 0.0, 0.001)) - scene(p - vec3<f32>(0.0, 0.0, 0.001))));
    let l = normalize(frame.to_light);
    let diffuse = saturate(dot(n, l));
    let difference = l - direction;
    let value = saturate(dot(n, difference) * inverseSqrt(dot(difference, difference)));
    let product = value * value;
    let product_1 = product * product;
    let product_2 = product_1 * product_1;
    let product_3 = product_2 * product_2;
    let specular = product_3 * product_3;
    let lit = vec3<f32>(0.8, 0.5, 0.3) * (0.2 + 0.8 * diffuse) + 0.5 * specular;
    let fog = 1.0 - exp(-0.02 * t * t);
    return vec4<f32>(mix(lit, sky, fog), 1.0);
}
