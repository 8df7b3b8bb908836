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

struct ShadeOutput {
    float4 color [[color(0)]];
};

static float scene(float3 p) {
    float difference = distance(p, float3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_1 = distance(p, float3(0.5, 0.1, -0.3)) - 0.5;
    float h = saturate(0.5 + (difference_1 - difference) * 1.4285715);
    float3 q = abs(p - float3(1.6, 0.0, 0.8)) - float3(0.4, 0.6, 0.3);
    float floor_ = p.y + 0.6;
    return min(min(mix(difference_1, difference, h) - 0.35 * h * (1.0 - h),
        length(max(q, float3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
}

fragment ShadeOutput shade(ShadeInput in [[stage_in]], constant Camera& camera [[buffer(0)]]) {
    float2 plane = in.uv * 2.0 - 1.0;
    float3 direction = normalize(camera.basis * float3(plane, camera.focal));
    int i = 0;
    float t = 0.01;
    bool value;
    while (true) {
        if (i >= 64) {
            value = false;
            t = 0.0;
            break;
        }
        float d = scene(float3(camera.eye) + direction * t);
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
    float3 sky = mix(float3(0.7, 0.8, 1.0), float3(0.1, 0.2, 0.5), float3(saturate(direction.y)));
    if (chosen < 0.0) {
        return {float4(sky, 0.0)};
    }
    float3 p = float3(camera.eye) + direction * chosen;
    float3 direction_1 =
        normalize(float3(scene(p + float3(0.001, 0.0, 0.0)) - scene(p - float3(0.001, 0.0, 0.0)),
            scene(p + float3(0.0, 0.001, 0.0)) - scene(p - float3(0.0, 0.001, 0.0)),
            scene(p + float3(0.0, 0.0, 0.001)) - scene(p - float3(0.0, 0.0, 0.001))));
    float3 sum = p + direction_1 * 0.02;
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
    float3 lit = float3(0.9, 0.7, 0.5)
        * (0.15 + ((value_1 ? t_1 : -1.0) > 0.0 ? diffuse * 0.25 : diffuse));
    return {float4(mix(sky, lit, float3(fog)), chosen)};
}
