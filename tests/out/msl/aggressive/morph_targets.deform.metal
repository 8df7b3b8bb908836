#include <metal_stdlib>

using namespace metal;

template <typename T>
struct alignas(16) Padded {
    T value;
};

struct Morph {
    float4x4 view_proj;
    Padded<float> weights[8];
    int vertices;
};

struct Offset {
    float3 position;
    float3 normal;
};

struct DeformInput {
    float3 position [[attribute(0)]];
    float3 normal [[attribute(1)]];
};

struct DeformOutput {
    float4 position [[position]];
    float3 normal [[user(locn0)]];
};

vertex DeformOutput deform(
    DeformInput in [[stage_in]],
    uint vertex_1 [[vertex_id]],
    constant Morph& morph [[buffer(0)]],
    const device Offset* offsets [[buffer(1)]]
) {
    float3 position = in.position;
    float3 normal = in.normal;
    for (int i = 0; i < 8; i++) {
        float weight = morph.weights[i].value;
        if (weight != 0.0) {
            int sum = i * morph.vertices + int(vertex_1);
            Offset offset = offsets[sum];
            position += weight * offset.position;
            normal += weight * offset.normal;
        }
    }
    DeformOutput out;
    out.position = morph.view_proj * float4(position, 1.0);
    out.normal = normalize(normal);
    return out;
}
