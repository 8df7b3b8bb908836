#version 450

layout(binding = 0, std140) uniform Frame {
    vec3 eye;
    float time;
    vec3 to_light;
    float aspect;
} frame;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

float scene(vec3 p) {
    float s = sin(frame.time);
    float c = cos(frame.time);
    vec3 turned = vec3(c * p.x - s * p.z, p.y, s * p.x + c * p.z);
    vec3 q = abs(turned - vec3(0.4, 0.0, 0.0)) - vec3(0.5, 0.7, 0.5);
    float box = length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
    vec2 q_1 = vec2(length(p.xz) - 1.0, p.y);
    float torus = length(q_1) - 0.35;
    float ground = p.y + 1.0;
    float h = clamp(0.5 + (torus - box) * 1.6666666, 0.0, 1.0);
    return min(mix(torus, box, h) - 0.3 * h * (1.0 - h), ground);
}

float march(vec3 origin, vec3 direction) {
    float t = 0.0;
    for (int i = 0; i < 64; i++) {
        float d = scene(origin + direction * t);
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

void main() {
    vec3 unit_eye = normalize(frame.eye);
    vec3 forward = -unit_eye;
    vec3 right = normalize(cross(forward, vec3(0.0, 1.0, 0.0)));
    vec3 up = cross(right, forward);
    vec3 direction =
        normalize(right * ((uv.x * 2.0 - 1.0) * frame.aspect) - 1.5 * unit_eye
            + up * (uv.y * 2.0 - 1.0));
    vec3 sky = mix(vec3(0.8, 0.85, 0.9), vec3(0.2, 0.4, 0.8), clamp(direction.y, 0.0, 1.0));
    float t = march(frame.eye, direction);
    if (t < 0.0) {
        color = vec4(sky, 1.0);
        return;
    }
    vec3 p = frame.eye + direction * t;
    vec3 n = normalize(vec3(scene(p + vec3(0.001, 0.0, 0.0)) - scene(p - vec3(0.001, 0.0, 0.0)),
        scene(p + vec3(0.0, 0.001, 0.0)) - scene(p - vec3(0.0, 0.001, 0.0)),
        scene(p + vec3(0.0, 0.0, 0.001)) - scene(p - vec3(0.0, 0.0, 0.001))));
    vec3 l = normalize(frame.to_light);
    float diffuse = clamp(dot(n, l), 0.0, 1.0);
    vec3 difference = l - direction;
    float value = clamp(dot(n, difference) * inversesqrt(dot(difference, difference)), 0.0, 1.0);
    float product = value * value;
    float product_1 = product * product;
    float product_2 = product_1 * product_1;
    float product_3 = product_2 * product_2;
    float specular = product_3 * product_3;
    vec3 lit = vec3(0.8, 0.5, 0.3) * (0.2 + 0.8 * diffuse) + 0.5 * specular;
    float fog = 1.0 - exp(-0.02 * t * t);
    color = vec4(mix(lit, sky, fog), 1.0);
}
