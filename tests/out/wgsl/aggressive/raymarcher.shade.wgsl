struct Camera {
    eye: vec3<f32>,
    focal: f32,
    basis: mat3x3<f32>,
    light: vec3<f32>,
}

@group(0) @binding(0) var<uniform> camera: Camera;

fn march(origin: vec3<f32>, direction: vec3<f32>) -> f32 {
    var t = 0.01;
    for (var i = 0; i < 64; i++) {
        let sum = origin + direction * t;
        let difference = distance(sum, vec3<f32>(-0.4, 0.3, 0.0)) - 0.7;
        let difference_1 = distance(sum, vec3<f32>(0.5, 0.1, -0.3)) - 0.5;
        let h = saturate(0.5 + (difference_1 - difference) * 1.4285715);
        let q = abs(sum - vec3<f32>(1.6, 0.0, 0.8)) - vec3<f32>(0.4, 0.6, 0.3);
        let floor_ = sum.y + 0.6;
        let least = min(min(mix(difference_1, difference, h) - 0.35 * h * (1.0 - h),
            length(max(q, vec3<f32>(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
        if (least < 0.002) {
            return t;
        }
        t += least;
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
    let sum = p + vec3<f32>(0.001, 0.0, 0.0);
    let difference = distance(sum, vec3<f32>(-0.4, 0.3, 0.0)) - 0.7;
    let difference_1 = distance(sum, vec3<f32>(0.5, 0.1, -0.3)) - 0.5;
    var h = saturate(0.5 + (difference_1 - difference) * 1.4285715);
    var q = abs(sum - vec3<f32>(1.6, 0.0, 0.8)) - vec3<f32>(0.4, 0.6, 0.3);
    let floor_ = sum.y + 0.6;
    let least = min(min(mix(difference_1, difference, h) - 0.35 * h * (1.0 - h),
        length(max(q, vec3<f32>(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
    let difference_2 = p - vec3<f32>(0.001, 0.0, 0.0);
    let difference_3 = distance(difference_2, vec3<f32>(-0.4, 0.3, 0.0)) - 0.7;
    let difference_4 = distance(difference_2, vec3<f32>(0.5, 0.1, -0.3)) - 0.5;
    h = saturate(0.5 + (difference_4 - difference_3) * 1.4285715);
    q = abs(difference_2 - vec3<f32>(1.6, 0.0, 0.8)) - vec3<f32>(0.4, 0.6, 0.3);
    let difference_5 = least
        - min(min(mix(difference_4, difference_3, h) - 0.35 * h * (1.0 - h),
            length(max(q, vec3<f32>(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
    let sum_1 = p + vec3<f32>(0.0, 0.001, 0.0);
    let difference_6 = distance(sum_1, vec3<f32>(-0.4, 0.3, 0.0)) - 0.7;
    let difference_7 = distance(sum_1, vec3<f32>(0.5, 0.1, -0.3)) - 0.5;
    h = saturate(0.5 + (difference_7 - difference_6) * 1.4285715);
    q = abs(sum_1 - vec3<f32>(1.6, 0.0, 0.8)) - vec3<f32>(0.4, 0.6, 0.3);
    var floor_1 = sum.y + 0.601;
    let least_1 = min(min(mix(difference_7, difference_6, h) - 0.35 * h * (1.0 - h),
        length(max(q, vec3<f32>(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_1);
    let difference_8 = p - vec3<f32>(0.0, 0.001, 0.0);
    let difference_9 = distance(difference_8, vec3<f32>(-0.4, 0.3, 0.0)) - 0.7;
    let difference_10 = distance(difference_8, vec3<f32>(0.5, 0.1, -0.3)) - 0.5;
    h = saturate(0.5 + (difference_10 - difference_9) * 1.4285715);
    q = abs(difference_8 - vec3<f32>(1.6, 0.0, 0.8)) - vec3<f32>(0.4, 0.6, 0.3);
    floor_1 = sum.y + 0.59900004;
    let difference_11 = least_1
        - min(min(mix(difference_10, difference_9, h) - 0.35 * h * (1.0 - h),
            length(max(q, vec3<f32>(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_1);
    let sum_2 = p + vec3<f32>(0.0, 0.0, 0.001);
    let difference_12 = distance(sum_2, vec3<f32>(-0.4, 0.3, 0.0)) - 0.7;
    let difference_13 = distance(sum_2, vec3<f32>(0.5, 0.1, -0.3)) - 0.5;
    h = saturate(0.5 + (difference_13 - difference_12) * 1.4285715);
    q = abs(sum_2 - vec3<f32>(1.6, 0.0, 0.8)) - vec3<f32>(0.4, 0.6, 0.3);
    let least_2 = min(min(mix(difference_13, difference_12, h) - 0.35 * h * (1.0 - h),
        length(max(q, vec3<f32>(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
    let difference_14 = p - vec3<f32>(0.0, 0.0, 0.001);
    let difference_15 = distance(difference_14, vec3<f32>(-0.4, 0.3, 0.0)) - 0.7;
    let difference_16 = distance(difference_14, vec3<f32>(0.5, 0.1, -0.3)) - 0.5;
    h = saturate(0.5 + (difference_16 - difference_15) * 1.4285715);
    q = abs(difference_14 - vec3<f32>(1.6, 0.0, 0.8)) - vec3<f32>(0.4, 0.6, 0.3);
    let direction_1 =
        normalize(vec3<f32>(difference_5, difference_11,
            least_2 - min(min(mix(difference_16, difference_15, h) - 0.35 * h * (1.0 - h),
                length(max(q, vec3<f32>(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_)));
    let diffuse = max(dot(direction_1, camera.light), 0.0);
    let fog = exp(-0.08 * t);
    let lit = vec3<f32>(0.9, 0.7, 0.5)
        * (0.15 + select(diffuse, diffuse * 0.25,
            march(p + direction_1 * 0.02, camera.light) > 0.0));
    return vec4<f32>(mix(sky, lit, fog), t);
}
