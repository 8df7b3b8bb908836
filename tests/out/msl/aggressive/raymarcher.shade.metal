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

static float march(float3 origin, float3 direction) {
    float t = 0.01;
    for (int i = 0; i < 64; i++) {
        float3 sum = origin + direction * t;
        float difference = distance(sum, float3(-0.4, 0.3, 0.0)) - 0.7;
        float difference_1 = distance(sum, float3(0.5, 0.1, -0.3)) - 0.5;
        float h = saturate(0.5 + (difference_1 - difference) * 1.4285715);
        float3 q = abs(sum - float3(1.6, 0.0, 0.8)) - float3(0.4, 0.6, 0.3);
        float floor_ = sum.y + 0.6;
        float least = min(min(mix(difference_1, difference, h) - 0.35 * h * (1.0 - h),
            length(max(q, float3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
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

fragment ShadeOutput shade(ShadeInput in [[stage_in]], constant Camera& camera [[buffer(0)]]) {
    float2 plane = in.uv * 2.0 - 1.0;
    float3 direction = normalize(camera.basis * float3(plane, camera.focal));
    float3 sky = mix(float3(0.7, 0.8, 1.0), float3(0.1, 0.2, 0.5), float3(saturate(direction.y)));
    float t = march(float3(camera.eye), direction);
    if (t < 0.0) {
        return {float4(sky, 0.0)};
    }
    float3 p = float3(camera.eye) + direction * t;
    float3 sum = p + float3(0.001, 0.0, 0.0);
    float difference = distance(sum, float3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_1 = distance(sum, float3(0.5, 0.1, -0.3)) - 0.5;
    float h = saturate(0.5 + (difference_1 - difference) * 1.4285715);
    float3 q = abs(sum - float3(1.6, 0.0, 0.8)) - float3(0.4, 0.6, 0.3);
    float floor_ = sum.y + 0.6;
    float least = min(min(mix(difference_1, difference, h) - 0.35 * h * (1.0 - h),
        length(max(q, float3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
    float3 difference_2 = p - float3(0.001, 0.0, 0.0);
    float difference_3 = distance(difference_2, float3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_4 = distance(difference_2, float3(0.5, 0.1, -0.3)) - 0.5;
    h = saturate(0.5 + (difference_4 - difference_3) * 1.4285715);
    q = abs(difference_2 - float3(1.6, 0.0, 0.8)) - float3(0.4, 0.6, 0.3);
    float difference_5 = least
        - min(min(mix(difference_4, difference_3, h) - 0.35 * h * (1.0 - h),
            length(max(q, float3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
    float3 sum_1 = p + float3(0.0, 0.001, 0.0);
    float difference_6 = distance(sum_1, float3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_7 = distance(sum_1, float3(0.5, 0.1, -0.3)) - 0.5;
    h = saturate(0.5 + (difference_7 - difference_6) * 1.4285715);
    q = abs(sum_1 - float3(1.6, 0.0, 0.8)) - float3(0.4, 0.6, 0.3);
    float floor_1 = sum.y + 0.601;
    float least_1 =
        min(min(mix(difference_7, difference_6, h) - 0.35 * h * (1.0 - h),
            length(max(q, float3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_1);
    float3 difference_8 = p - float3(0.0, 0.001, 0.0);
    float difference_9 = distance(difference_8, float3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_10 = distance(difference_8, float3(0.5, 0.1, -0.3)) - 0.5;
    h = saturate(0.5 + (difference_10 - difference_9) * 1.4285715);
    q = abs(difference_8 - float3(1.6, 0.0, 0.8)) - float3(0.4, 0.6, 0.3);
    floor_1 = sum.y + 0.59900004;
    float difference_11 = least_1
        - min(min(mix(difference_10, difference_9, h) - 0.35 * h * (1.0 - h),
            length(max(q, float3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_1);
    float3 sum_2 = p + float3(0.0, 0.0, 0.001);
    float difference_12 = distance(sum_2, float3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_13 = distance(sum_2, float3(0.5, 0.1, -0.3)) - 0.5;
    h = saturate(0.5 + (difference_13 - difference_12) * 1.4285715);
    q = abs(sum_2 - float3(1.6, 0.0, 0.8)) - float3(0.4, 0.6, 0.3);
    float least_2 =
        min(min(mix(difference_13, difference_12, h) - 0.35 * h * (1.0 - h),
            length(max(q, float3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_);
    float3 difference_14 = p - float3(0.0, 0.0, 0.001);
    float difference_15 = distance(difference_14, float3(-0.4, 0.3, 0.0)) - 0.7;
    float difference_16 = distance(difference_14, float3(0.5, 0.1, -0.3)) - 0.5;
    h = saturate(0.5 + (difference_16 - difference_15) * 1.4285715);
    q = abs(difference_14 - float3(1.6, 0.0, 0.8)) - float3(0.4, 0.6, 0.3);
    float3 direction_1 =
        normalize(float3(difference_5, difference_11,
            least_2 - min(min(mix(difference_16, difference_15, h) - 0.35 * h * (1.0 - h),
                length(max(q, float3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0)), floor_)));
    float diffuse = max(dot(direction_1, camera.light), 0.0);
    float fog = exp(-0.08 * t);
    float3 lit = float3(0.9, 0.7, 0.5)
        * (0.15 + (march(p + direction_1 * 0.02, camera.light) > 0.0 ? diffuse * 0.25 : diffuse));
    return {float4(mix(sky, lit, float3(fog)), t)};
}
