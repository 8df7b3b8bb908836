#version 450

layout(set = 0, binding = 0, std140) uniform Camera {
    vec3 eye;
    float focal;
    mat3 basis;
    vec3 light;
} camera;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

float scene(vec3 p) {
    float difference = distance(p, vec3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_1 = distance(p, vec3(0.5, 0.1, -0.3)) - 0.5;
    float h = clamp(0.5 + (difference_1 - difference) * 1.4285715, 0.0, 1.0);
    vec3 q = abs(p - vec3(1.6, 0.0, 0.8)) - vec3(0.4, 0.6, 0.3);
    float floor_ = p.y + 0.6;
    return min(min(mix(difference_1, difference, h) - 0.35 * h * (1.0 - h),
        length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
}

void main() {
    vec2 plane = uv * 2.0 - 1.0;
    vec3 direction = normalize(camera.basis * vec3(plane, camera.focal));
    int i = 0;
    float t = 0.01;
    bool value;
    while (true) {
        if (i >= 64) {
            value = false;
            t = 0.0;
            break;
        }
        float d = scene(camera.eye + direction * t);
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
    float chosen = value ? t : -1.0;
    vec3 sky = mix(vec3(0.7, 0.8, 1.0), vec3(0.1, 0.2, 0.5), clamp(direction.y, 0.0, 1.0));
    if (chosen < 0.0) {
        color = vec4(sky, 0.0);
        return;
    }
    vec3 p = camera.eye + direction * chosen;
    vec3 direction_1 =
        normalize(vec3(scene(p + vec3(0.001, 0.0, 0.0)) - scene(p - vec3(0.001, 0.0, 0.0)),
            scene(p + vec3(0.0, 0.001, 0.0)) - scene(p - vec3(0.0, 0.001, 0.0)),
            scene(p + vec3(0.0, 0.0, 0.001)) - scene(p - vec3(0.0, 0.0, 0.001))));
    vec3 sum = p + direction_1 * 0.02;
    int i_1 = 0;
    float t_1 = 0.01;
    bool value_1;
    while (true) {
        if (i_1 >= 64) {
            value_1 = false;
            t_1 = 0.0;
            break;
        }
        float d = scene(sum + camera.light * t_1);
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
    float diffuse = max(dot(direction_1, camera.light), 0.0);
    float fog = exp(-0.08 * chosen);
    vec3 lit = vec3(0.9, 0.7, 0.5)
        * (0.15 + ((value_1 ? t_1 : -1.0) > 0.0 ? diffuse * 0.25 : diffuse));
    color = vec4(mix(sky, lit, fog), chosen);
}
