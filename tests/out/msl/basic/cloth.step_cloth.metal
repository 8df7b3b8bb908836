#include <metal_stdlib>

using namespace metal;

struct Cloth {
    int2 size;
    alignas(16) packed_float3 gravity;
    float dt;
    float rest;
    float stiffness;
    float damping;
};

static float3 pull(float3 place, int2 neighbour, float rest, constant Cloth& cloth,
    device float4* now) {
    if (neighbour.x < 0 || neighbour.y < 0) {
        return float3(0.0);
    }
    if (neighbour.x >= cloth.size.x || neighbour.y >= cloth.size.y) {
        return float3(0.0);
    }
    float3 across = now[neighbour.y * cloth.size.x + neighbour.x].xyz - place;
    float reach = max(length(across), 0.00001);
    return across * ((reach - rest) / reach * cloth.stiffness);
}

[[max_total_threads_per_threadgroup(64)]]
kernel void step_cloth(
    uint3 id [[thread_position_in_grid]],
    constant Cloth& cloth [[buffer(0)]],
    device float4* now [[buffer(1)]],
    device float4* last [[buffer(2)]],
    device float4* next [[buffer(3)]]
) {
    int2 cell = int2(id.xy);
    if (cell.x >= cloth.size.x || cell.y >= cloth.size.y) {
        return;
    }
    int i = cell.y * cloth.size.x + cell.x;
    float4 node = now[i];
    if (node.w == 0.0) {
        next[i] = node;
        return;
    }
    float3 force = float3(cloth.gravity) / node.w;
    for (int y = -1; y < 2; y++) {
        bool y_is_not_0 = y != 0;
        float y_float = float(y);
        for (int x = -1; x < 2; x++) {
            if (x != 0 || y_is_not_0) {
                float rest = cloth.rest * length(float2(float(x), y_float));
                force += pull(node.xyz, cell + int2(x, y), rest, cloth, now);
            }
        }
    }
    float3 velocity = (node.xyz - last[i].xyz) * (1.0 - cloth.damping);
    float3 moved = node.xyz + velocity + force * (node.w * cloth.dt * cloth.dt);
    next[i] = float4(moved, node.w);
}
