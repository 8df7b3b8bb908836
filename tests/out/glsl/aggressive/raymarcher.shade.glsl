#version 450

layout(binding = 0, std140) uniform Camera {
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
    float balls = mix(difference_1, difference, h) - 0.35 * h * (1.0 - h);
    vec3 q = abs(p - vec3(1.6, 0.0, 0.8)) - vec3(0.4, 0.6, 0.3);
    float box = length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
    float floor_ = p.y + 0.6;
    return min(min(balls, box), floor_);
}

float march(vec3 origin, vec3 direction) {
    float t = 0.01;
    for (int i = 0; i < 64; i++) {
        float d = scene(origin + direction * t);
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
    vec3 n = normalize(vec3(scene(p + vec3(0.001, 0.0, 0.0)) - scene(p - vec3(0.001, 0.0, 0.0)),
        scene(p + vec3(0.0, 0.001, 0.0)) - scene(p - vec3(0.0, 0.001, 0.0)),
        scene(p + vec3(0.0, 0.0, 0.001)) - scene(p - vec3(0.0, 0.0, 0.001))));
    float diffuse = max(dot(n, camera.light), 0.0);
    float fog = exp(-0.08 * t);
    vec3 lit = vec3(0.9, 0.7, 0.5)
        * (0.15 + (march(p + n * 0.02, camera.light) > 0.0 ? diffuse * 0.25 : diffuse));
    color = vec4(mix(sky, lit, fog), t);
}
