#include <metal_stdlib>

using namespace metal;

struct Camera {
    float4x4 inverse_view_proj;
    packed_float3 fog;
    float density;
};

struct EncloseOutput {
    float4 position [[position]];
    float3 direction [[user(locn0)]];
};

vertex EncloseOutput enclose(uint index [[vertex_id]], constant Camera& camera [[buffer(0)]]) {
    float2 corner = float2(float((int(index) << 1) & 2), float(int(index) & 2)) * 2.0 - 1.0;
    float4 value = float4(corner, 1.0, 1.0);
    float4 far = camera.inverse_view_proj * value;
    EncloseOutput out;
    out.position = value;
    out.direction = far.xyz / far.w;
    return out;
}
