// dxc -T cs_6_2 -E step_cloth -HV 2021

struct Cloth {
    int2 size;
    float3 gravity;
    float dt;
    float rest;
    float stiffness;
    float damping;
};

ConstantBuffer<Cloth> cloth : register(b0);

RWStructuredBuffer<float4> now : register(u1);
RWStructuredBuffer<float4> last : register(u2);
RWStructuredBuffer<float4> next : register(u3);

float3 pull(float3 place, int2 neighbour, float rest) {
    if (neighbour.x < 0 || neighbour.y < 0) {
        return (float3)0.0;
    }
    if (neighbour.x >= cloth.size.x || neighbour.y >= cloth.size.y) {
        return (float3)0.0;
    }
    float3 across = now[neighbour.y * cloth.size.x + neighbour.x].xyz - place;
    float reach = max(length(across), 0.00001);
    return across * ((reach - rest) / reach * cloth.stiffness);
}

[numthreads(8, 8, 1)]
void step_cloth(uint3 id : SV_DispatchThreadID) {
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
    float3 force = cloth.gravity / node.w;
    for (int y = -1; y < 2; y++) {
        bool y_is_not_0 = y != 0;
        float y_float = float(y);
        for (int x = -1; x < 2; x++) {
            if (x != 0 || y_is_not_0) {
                float rest = cloth.rest * length(float2(float(x), y_float));
                force += pull(node.xyz, cell + int2(x, y), rest);
            }
        }
    }
    float3 velocity = (node.xyz - last[i].xyz) * (1.0 - cloth.damping);
    float3 moved = node.xyz + velocity + force * (node.w * cloth.dt * cloth.dt);
    next[i] = float4(moved, node.w);
}
