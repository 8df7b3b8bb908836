#version 450

layout(binding = 0, std140) uniform Frame {
    vec3 eye;
    float time;
    vec3 to_light;
    float aspect;
} frame;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

float sd_box(vec3 p, vec3 size) {
    vec3 q = abs(p) - size;
    return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
}

float sd_torus(vec3 p, vec2 radii) {
    vec2 q = vec2(length(p.xz) - radii.x, p.y);
    return length(q) - radii.y;
}

float smooth_min(float a, float b, float k) {
    float h = clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
    return mix(b, a, h) - k * h * (1.0 - h);
}

float scene(vec3 p) {
    float s = sin(frame.time);
    float c = cos(frame.time);
    vec3 turned = vec3(c * p.x - s * p.z, p.y, s * p.x + c * p.z);
    float box = sd_box(turned - vec3(0.4, 0.0, 0.0), vec3(0.5, 0.7, 0.5));
    float torus = sd_torus(p, vec2(1.0, 0.35));
    float ground = p.y + 1.0;
    return min(smooth_min(box, torus, 0.3), ground);
}

vec3 scene_normal(vec3 p) {
    return normalize(vec3(scene(p + vec3(0.001, 0.0, 0.0)) - scene(p - vec3(0.001, 0.0, 0.0)),
        scene(p + vec3(0.0, 0.001, 0.0)) - scene(p - vec3(0.0, 0.001, 0.0)),
        scene(p + vec3(0.0, 0.0, 0.001)) - scene(p - vec3(0.0, 0.0, 0.001))));
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
    vec3 forward = normalize(-frame.eye);
    vec3 right = normalize(cross(forward, vec3(0.0, 1.0, 0.0)));
    vec3 up = cross(right, forward);
    vec3 direction =
        normalize(forward * 1.5 + right * ((uv.x * 2.0 - 1.0) * frame.aspect)
            + up * (uv.y * 2.0 - 1.0));
    vec3 sky = mix(vec3(0.8, 0.85, 0.9), vec3(0.2, 0.4, 0.8), clamp(direction.y, 0.0, 1.0));
    float t = march(frame.eye, direction);
    if (t < 0.0) {
        color = vec4(sky, 1.0);
        return;
    }
    vec3 p = frame.eye + direction * t;
    vec3 n = scene_normal(p);
    vec3 l = normalize(frame.to_light);
    float diffuse = max(dot(n, l), 0.0);
    float specular = pow(max(dot(n, normalize(l - direction)), 0.0), 32.0);
    vec3 lit = vec3(0.8, 0.5, 0.3) * (0.2 + 0.8 * diffuse) + 0.5 * specular;
    float fog = 1.0 - exp(-0.02 * t * t);
    color = vec4(mix(lit, sky, fog), 1.0);
}
