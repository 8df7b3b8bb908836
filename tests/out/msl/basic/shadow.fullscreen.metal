#include <metal_stdlib>

using namespace metal;

struct FullscreenOutput {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
};

vertex FullscreenOutput fullscreen(uint index [[vertex_id]]) {
    float2 corner = float2(float((int(index) << 1) & 2), float(int(index) & 2));
    FullscreenOutput out;
    out.position = float4(corner * 2.0 - 1.0, 0.0, 1.0);
    out.uv = corner;
    return out;
}
