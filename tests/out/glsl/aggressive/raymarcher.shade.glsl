#version 450

layout(set = 0, binding = 0, std140) uniform Camera {
    vec3 eye;
    float focal;
    mat3 basis;
    vec3 light;
} camera;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

float march(vec3 origin, vec3 direction) {
    float t = 0.01;
    for (int i = 0; i < 64; i++) {
        vec3 sum = origin + direction * t;
        float difference = distance(sum, vec3(-0.4, 0.3, 0.0)) - 0.7;
        float difference_1 = distance(sum, vec3(0.5, 0.1, -0.3)) - 0.5;
        float h = clamp(0.5 + (difference_1 - difference) * 1.4285715, 0.0, 1.0);
        vec3 q = abs(sum - vec3(1.6, 0.0, 0.8)) - vec3(0.4, 0.6, 0.3);
        float floor_ = sum.y + 0.6;
        float least = min(min(mix(difference_1, difference, h) - 0.35 * h * (1.0 - h),
            length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
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

void main() {
    vec2 plane = uv * 2.0 - 1.0;
    vec3 direction = normalize(camera.basis * vec3(plane, camera.focal));
    vec3 sky = mix(vec3(0.7, 0.8, 1.0), vec3(0.1, 0.2, 0.5), clamp(direction.y, 0.0, 1.0));
    float t = march(camera.eye, direction);
    if (t < 0.0) {
        color = vec4(sky, 0.0);
        return;
    }
    vec3 p = camera.eye + direction * t;
    vec3 sum = p + vec3(0.001, 0.0, 0.0);
    float difference = distance(sum, vec3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_1 = distance(sum, vec3(0.5, 0.1, -0.3)) - 0.5;
    float h = clamp(0.5 + (difference_1 - difference) * 1.4285715, 0.0, 1.0);
    vec3 q = abs(sum - vec3(1.6, 0.0, 0.8)) - vec3(0.4, 0.6, 0.3);
    float floor_ = sum.y + 0.6;
    float least = min(min(mix(difference_1, difference, h) - 0.35 * h * (1.0 - h),
        length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
    vec3 difference_2 = p - vec3(0.001, 0.0, 0.0);
    float difference_3 = distance(difference_2, vec3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_4 = distance(difference_2, vec3(0.5, 0.1, -0.3)) - 0.5;
    h = clamp(0.5 + (difference_4 - difference_3) * 1.4285715, 0.0, 1.0);
    q = abs(difference_2 - vec3(1.6, 0.0, 0.8)) - vec3(0.4, 0.6, 0.3);
    float difference_5 = least
        - min(min(mix(difference_4, difference_3, h) - 0.35 * h * (1.0 - h),
            length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
    vec3 sum_1 = p + vec3(0.0, 0.001, 0.0);
    float difference_6 = distance(sum_1, vec3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_7 = distance(sum_1, vec3(0.5, 0.1, -0.3)) - 0.5;
    h = clamp(0.5 + (difference_7 - difference_6) * 1.4285715, 0.0, 1.0);
    q = abs(sum_1 - vec3(1.6, 0.0, 0.8)) - vec3(0.4, 0.6, 0.3);
    float floor_1 = sum.y + 0.601;
    float least_1 =
        min(min(mix(difference_7, difference_6, h) - 0.35 * h * (1.0 - h),
            length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_1);
    vec3 difference_8 = p - vec3(0.0, 0.001, 0.0);
    float difference_9 = distance(difference_8, vec3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_10 = distance(difference_8, vec3(0.5, 0.1, -0.3)) - 0.5;
    h = clamp(0.5 + (difference_10 - difference_9) * 1.4285715, 0.0, 1.0);
    q = abs(difference_8 - vec3(1.6, 0.0, 0.8)) - vec3(0.4, 0.6, 0.3);
    floor_1 = sum.y + 0.59900004;
    float difference_11 = least_1
        - min(min(mix(difference_10, difference_9, h) - 0.35 * h * (1.0 - h),
            length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_1);
    vec3 sum_2 = p + vec3(0.0, 0.0, 0.001);
    float difference_12 = distance(sum_2, vec3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_13 = distance(sum_2, vec3(0.5, 0.1, -0.3)) - 0.5;
    h = clamp(0.5 + (difference_13 - difference_12) * 1.4285715, 0.0, 1.0);
    q = abs(sum_2 - vec3(1.6, 0.0, 0.8)) - vec3(0.4, 0.6, 0.3);
    float least_2 =
        min(min(mix(difference_13, difference_12, h) - 0.35 * h * (1.0 - h),
            length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
    vec3 difference_14 = p - vec3(0.0, 0.0, 0.001);
    float difference_15 = distance(difference_14, vec3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_16 = distance(difference_14, vec3(0.5, 0.1, -0.3)) - 0.5;
    h = clamp(0.5 + (difference_16 - difference_15) * 1.4285715, 0.0, 1.0);
    q = abs(difference_14 - vec3(1.6, 0.0, 0.8)) - vec3(0.4, 0.6, 0.3);
    vec3 direction_1 =
        normalize(vec3(difference_5, difference_11,
            least_2 - min(min(mix(difference_16, difference_15, h) - 0.35 * h * (1.0 - h),
                length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_)));
    float diffuse = max(dot(direction_1, camera.light), 0.0);
    float fog = exp(-0.08 * t);
    vec3 lit = vec3(0.9, 0.7, 0.5)
        * (0.15 + (march(p + direction_1 * 0.02, camera.light) > 0.0 ? diffuse * 0.25 : diffuse));
    color = vec4(mix(sky, lit, fog), t);
}
