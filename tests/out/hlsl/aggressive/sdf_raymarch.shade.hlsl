// dxc -T ps_6_2 -E shade -HV 2021

struct Frame {
    float3 eye;
    float time;
    float3 to_light;
    float aspect;
};

ConstantBuffer<Frame> frame : register(b0);

float scene(float3 p) {
    float s = sin(frame.time);
    float c = cos(frame.time);
    float3 turned = float3(c * p.x - s * p.z, p.y, s * p.x + c * p.z);
    float3 q = abs(turned - float3(0.4, 0.0, 0.0)) - float3(0.5, 0.7, 0.5);
    float box = length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
    float2 q_1 = float2(length(p.xz) - 1.0, p.y);
    float torus = length(q_1) - 0.35;
    float ground = p.y + 1.0;
    float h = saturate(0.5 + (torus - box) * 1.6666666);
    return min(lerp(torus, box, h) - 0.3 * h * (1.0 - h), ground);
}

float march(float3 origin, float3 direction) {
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

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 unit_eye = normalize(frame.eye);
    float3 forward = -unit_eye;
    float3 right = normalize(cross(forward, float3(0.0, 1.0, 0.0)));
    float3 up = cross(right, forward);
    float3 direction =
        normalize(right * ((uv.x * 2.0 - 1.0) * frame.aspect) - 1.5 * unit_eye
            + up * (uv.y * 2.0 - 1.0));
    float3 sky = lerp(float3(0.8, 0.85, 0.9), float3(0.2, 0.4, 0.8), saturate(direction.y));
    float t = march(frame.eye, direction);
    if (t < 0.0) {
        return float4(sky, 1.0);
    }
    float3 p = frame.eye + direction * t;
    float3 n = normalize(float3(scene(p + float3(0.001, 0.0, 0.0))
        - scene(p - float3(0.001, 0.0, 0.0)),
        scene(p + float3(0.0, 0.001, 0.0)) - scene(p - float3(0.0, 0.001, 0.0)),
        scene(p + float3(0.0, 0.0, 0.001)) - scene(p - float3(0.0, 0.0, 0.001))));
    float3 l = normalize(frame.to_light);
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
    return float4(lerp(lit, sky, fog), 1.0);
}
