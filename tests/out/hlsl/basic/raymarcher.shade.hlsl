// dxc -T ps_6_2 -E shade -HV 2021

struct Camera {
    float3 eye;
    float focal;
    row_major float3x3 basis;
    float3 light;
};

ConstantBuffer<Camera> camera : register(b0);

float sd_sphere(float3 p, float3 center, float radius) {
    return length(p - center) - radius;
}

float sd_box(float3 p, float3 half_size) {
    float3 q = abs(p) - half_size;
    return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
}

float smooth_union(float a, float b, float k) {
    float h = saturate(0.5 + 0.5 * (b - a) / k);
    return lerp(b, a, h) - k * h * (1.0 - h);
}

float scene(float3 p) {
    float balls = smooth_union(sd_sphere(p, float3(-0.4, 0.3, 0.0), 0.7),
        sd_sphere(p, float3(0.5, 0.1, -0.3), 0.5), 0.35);
    float box = sd_box(p - float3(1.6, 0.0, 0.8), float3(0.4, 0.6, 0.3));
    float floor_ = p.y + 0.6;
    return min(min(balls, box), floor_);
}

float march(float3 origin, float3 direction) {
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

float3 surface_normal(float3 p) {
    return normalize(float3(scene(p + float3(0.001, 0.0, 0.0))
        - scene(p - float3(0.001, 0.0, 0.0)),
        scene(p + float3(0.0, 0.001, 0.0)) - scene(p - float3(0.0, 0.001, 0.0)),
        scene(p + float3(0.0, 0.0, 0.001)) - scene(p - float3(0.0, 0.0, 0.001))));
}

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float2 plane = uv * 2.0 - 1.0;
    float3 direction = normalize(mul(float3(plane, camera.focal), camera.basis));
    float3 sky = lerp(float3(0.7, 0.8, 1.0), float3(0.1, 0.2, 0.5), saturate(direction.y));
    float t = march(camera.eye, direction);
    if (t < 0.0) {
        return float4(sky, 0.0);
    }
    float3 p = camera.eye + direction * t;
    float3 n = surface_normal(p);
    float diffuse = max(dot(n, camera.light), 0.0);
    if (march(p + n * 0.02, camera.light) > 0.0) {
        diffuse *= 0.25;
    }
    float fog = exp(-0.08 * t);
    float3 lit = float3(0.9, 0.7, 0.5) * (0.15 + diffuse);
    return float4(lerp(sky, lit, fog), t);
}
