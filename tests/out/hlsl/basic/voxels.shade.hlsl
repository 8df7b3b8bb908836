// dxc -T ps_6_2 -E shade -HV 2021

struct Hit {
    bool found;
    int3 cell;
    float3 normal;
};

struct Scene {
    row_major float4x4 to_world;
    float3 eye;
    int3 size;
    float3 to_sun;
};

ConstantBuffer<Scene> scene : register(b0);

StructuredBuffer<uint> voxels : register(t1);

Hit make_Hit(bool found, int3 cell, float3 normal) {
    Hit made = { found, cell, normal };
    return made;
}

float2 slabs(float3 origin, float3 inverse_direction, float3 size) {
    float3 a = -origin * inverse_direction;
    float3 b = (size - origin) * inverse_direction;
    float3 near = min(a, b);
    float3 far = max(a, b);
    return float2(max(max(near.x, near.y), max(near.z, 0.0)), min(far.x, min(far.y, far.z)));
}

uint voxel_at(int3 cell) {
    return voxels[(cell.z * scene.size.y + cell.y) * scene.size.x + cell.x];
}

bool outside(int3 cell) {
    return any(cell < 0) || any(cell >= scene.size);
}

Hit trace(float3 origin, float3 direction) {
    Hit miss = { false, (int3)0, (float3)0.0 };
    float3 inverse_direction = 1.0 / direction;
    float2 span = slabs(origin, inverse_direction, float3(scene.size));
    if (span.x >= span.y) {
        return miss;
    }
    float3 start = origin + direction * (span.x + 0.0001);
    int3 cell = int3(floor(start));
    int3 forward = int3(float3(sign(direction)));
    float3 delta = abs(inverse_direction);
    float3 edge = float3(cell) + step(0.0, direction);
    float3 next = (edge - start) * inverse_direction;
    float3 next_normal = float3(-float(forward.x), 0.0, 0.0);
    float3 next_normal_1 = float3(0.0, -float(forward.y), 0.0);
    float3 next_normal_2 = float3(0.0, 0.0, -float(forward.z));
    float3 normal = (float3)0.0;
    for (int _i = 0; _i < 128; _i++) {
        if (outside(cell)) {
            return miss;
        }
        if (voxel_at(cell) != 0u) {
            return make_Hit(true, cell, normal);
        }
        if (next.x < next.y && next.x < next.z) {
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

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float4 far = mul(float4(uv * 2.0 - 1.0, 1.0, 1.0), scene.to_world);
    float3 direction = normalize(far.xyz / far.w - scene.eye);
    Hit hit = trace(scene.eye, direction);
    if (!hit.found) {
        return float4(lerp(float3(0.8, 0.9, 1.0), float3(0.3, 0.5, 0.9), direction.y), 1.0);
    }
    uint packed = voxel_at(hit.cell);
    float light = 0.3 + 0.7 * max(dot(hit.normal, scene.to_sun), 0.0);
    return float4((float4(((uint4)packed >> uint4(0u, 8u, 16u, 24u)) & 255u) / 255.0).xyz * light,
        1.0);
}
