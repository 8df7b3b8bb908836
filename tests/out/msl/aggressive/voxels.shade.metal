#include <metal_stdlib>

using namespace metal;

struct Scene {
    float4x4 to_world;
    float3 eye;
    int3 size;
    float3 to_sun;
};

struct Hit {
    bool found;
    int3 cell;
    float3 normal;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

static uint voxel_at(int3 cell, constant Scene& scene, const device uint* voxels) {
    return voxels[(cell.z * scene.size.y + cell.y) * scene.size.x + cell.x];
}

static Hit trace(float3 origin, float3 direction, constant Scene& scene,
    const device uint* voxels) {
    Hit miss = Hit{false, int3(0), float3(0.0)};
    float3 inverse_direction = 1.0 / direction;
    float3 a = -origin * inverse_direction;
    float3 b = (float3(scene.size) - origin) * inverse_direction;
    float3 near = min(a, b);
    float3 far = max(a, b);
    float greatest = max(max(near.x, near.y), max(near.z, 0.0));
    if (greatest >= min(far.x, min(far.y, far.z))) {
        return miss;
    }
    float3 start = origin + direction * (greatest + 0.0001);
    int3 cell = int3(floor(start));
    int3 forward = int3(sign(direction));
    float3 delta = abs(inverse_direction);
    float3 edge = float3(cell) + step(float3(0.0), direction);
    float3 next = (edge - start) * inverse_direction;
    float3 next_normal = float3(-float(forward.x), 0.0, 0.0);
    float3 next_normal_1 = float3(0.0, -float(forward.y), 0.0);
    float3 next_normal_2 = float3(0.0, 0.0, -float(forward.z));
    float3 normal = float3(0.0);
    for (int i = 0; i < 128; i++) {
        if (any(cell < int3(0)) || any(cell >= scene.size)) {
            return miss;
        }
        if (voxel_at(cell, scene, voxels) != 0u) {
            return Hit{true, cell, normal};
        }
        if (next.x < min(next.y, next.z)) {
            cell.x += forward.x;
            next.x += delta.x;
            normal = next_normal;
        } else if (next.y < next.z) {
            cell.y += forward.y;
            next.y += delta.y;
            normal = next_normal_1;
        } else {
            cell.z += forward.z;
            next.z += delta.z;
            normal = next_normal_2;
        }
    }
    return miss;
}

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Scene& scene [[buffer(0)]],
    const device uint* voxels [[buffer(1)]]
) {
    float4 far = scene.to_world * float4(in.uv * 2.0 - 1.0, 1.0, 1.0);
    float3 direction = normalize(far.xyz * (1.0 / far.w) - scene.eye);
    Hit hit = trace(scene.eye, direction, scene, voxels);
    if (!hit.found) {
        return float4(mix(float3(0.8, 0.9, 1.0), float3(0.3, 0.5, 0.9), float3(direction.y)), 1.0);
    }
    uint packed = voxel_at(hit.cell, scene, voxels);
    float light = 0.3 + 0.7 * max(dot(hit.normal, scene.to_sun), 0.0);
    return float4(unpack_unorm4x8_to_float(packed).xyz * light, 1.0);
}
