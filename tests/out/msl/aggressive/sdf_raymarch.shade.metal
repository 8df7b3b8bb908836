#include <metal_stdlib>

using namespace metal;

struct Frame {
    packed_float3 eye;
    float time;
    packed_float3 to_light;
    float aspect;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

static float scene(float3 p, constant Frame& frame) {
    float s = sin(frame.time);
    float c = cos(frame.time);
    float3 turned = float3(c * p.x - s * p.z, p.y, s * p.x + c * p.z);
    float3 q = abs(turned - float3(0.4, 0.0, 0.0)) - float3(0.5, 0.7, 0.5);
    float box = length(max(q, float3(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0);
    float2 q_1 = float2(length(p.xz) - 1.0, p.y);
    float torus = length(q_1) - 0.35;
    float ground = p.y + 1.0;
    float h = saturate(0.5 + (torus - box) * 1.6666666);
    return min(mix(torus, box, h) - 0.3 * h * (1.0 - h), ground);
}

static float march(float3 origin, float3 direction, constant Frame& frame) {
    float t = 0.0;
    for (int i = 0; i < 64; i++) {
        float d = scene(origin + direction * t, frame);
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

fragment float4 shade(ShadeInput in [[stage_in]], constant Frame& frame [[buffer(0)]]) {
    float3 unit_eye = normalize(float3(frame.eye));
    float3 forward = -unit_eye;
    float3 right = normalize(cross(forward, float3(0.0, 1.0, 0.0)));
    float3 up = cross(right, forward);
    float3 direction =
        normalize(right * ((in.uv.x * 2.0 - 1.0) * frame.aspect) - 1.5 * unit_eye
            + up * (in.uv.y * 2.0 - 1.0));
    float3 sky = mix(float3(0.8, 0.85, 0.9), float3(0.2, 0.4, 0.8), float3(saturate(direction.y)));
    float t = march(float3(frame.eye), direction, frame);
    if (t < 0.0) {
        return float4(sky, 1.0);
    }
    float3 p = float3(frame.eye) + direction * t;
    float3 n = normalize(float3(scene(p + float3(0.001, 0.0, 0.0), frame)
        - scene(p - float3(0.001, 0.0, 0.0), frame),
        scene(p + float3(0.0, 0.001, 0.0), frame) - scene(p - float3(0.0, 0.001, 0.0), frame),
        scene(p + float3(0.0, 0.0, 0.001), frame) - scene(p - float3(0.0, 0.0, 0.001), frame)));
    float3 l = normalize(float3(frame.to_light));
    float diffuse = saturate(dot(n, l));
    float3 difference = l - direction;
    float value = saturate(dot(n, difference) * rsqrt(dot(difference, difference)));
    float product = value * value;
    float product_1 = product * product;
    float product_2 = product_1 * product_1;
    float product_3 = product_2 * product_2;
    float specular = product_3 * product_3;
    float3 lit = float3(0.8, 0.5, 0.3) * (0.2 + 0.8 * diffuse) + 0.5 * specular;
    float fog = 1.0 - exp(-0.02 * t * t);
    return float4(mix(lit, sky, float3(fog)), 1.0);
}
