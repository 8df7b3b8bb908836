#include <metal_stdlib>

using namespace metal;

struct Camera {
    packed_float3 eye;
    float focal;
    float3x3 basis;
    float3 light;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

static float sd_sphere(float3 p, float3 center, float radius) {
    return length(p - center) - radius;
}

static float sd_box(float3 p, float3 half_size) {
    float3 q = abs(p) - half_size;
    return length(max(q, float3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0);
}

static float smooth_union(float a, float b, float k) {
    float h = saturate(0.5 + 0.5 * (b - a) / k);
    return mix(b, a, h) - k * h * (1.0 - h);
}

static float scene(float3 p) {
    float balls = smooth_union(sd_sphere(p, float3(-0.4, 0.3, 0.0), 0.7),
        sd_sphere(p, float3(0.5, 0.1, -0.3), 0.5), 0.35);
    float box = sd_box(p - float3(1.6, 0.0, 0.8), float3(0.4, 0.6, 0.3));
    float floor_ = p.y + 0.6;
    return min(min(balls, box), floor_);
}

static float march(float3 origin, float3 direction) {
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

static float3 surface_normal(float3 p) {
    return normalize(float3(scene(p + float3(0.001, 0.0, 0.0))
        - scene(p - float3(0.001, 0.0, 0.0)),
        scene(p + float3(0.0, 0.001, 0.0)) - scene(p - float3(0.0, 0.001, 0.0)),
        scene(p + float3(0.0, 0.0, 0.001)) - scene(p - float3(0.0, 0.0, 0.001))));
}

fragment float4 shade(ShadeInput in [[stage_in]], constant Camera& camera [[buffer(0)]]) {
    float2 plane = in.uv * 2.0 - 1.0;
    float3 direction = normalize(camera.basis * float3(plane, camera.focal));
    float3 sky = mix(float3(0.7, 0.8, 1.0), float3(0.1, 0.2, 0.5), float3(saturate(direction.y)));
    float t = march(float3(camera.eye), direction);
    if (t < 0.0) {
        return float4(sky, 0.0);
    }
    float3 p = float3(camera.eye) + direction * t;
    float3 n = surface_normal(p);
    float diffuse = max(dot(n, camera.light), 0.0);
    if (march(p + n * 0.02, camera.light) > 0.0) {
        diffuse *= 0.25;
    }
    float fog = exp(-0.08 * t);
    float3 lit = float3(0.9, 0.7, 0.5) * (0.15 + diffuse);
    return float4(mix(sky, lit, float3(fog)), t);
}
