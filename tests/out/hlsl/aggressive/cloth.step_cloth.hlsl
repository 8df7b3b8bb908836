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
    float3 force = cloth.gravity * (1.0 / node.w);
    for (int y = -1; y < 2; y++) {
        bool y_is_not_0 = y != 0;
        int cell_y_plus_y = cell.y + y;
        bool is_below = cell_y_plus_y < 0;
        bool is_at_least = cell_y_plus_y >= cloth.size.y;
        int product = cell_y_plus_y * cloth.size.x;
        float y_float = float(y);
        for (int x = -1; x < 2; x++) {
            if (x != 0 || y_is_not_0) {
                int cell_x_plus_x = cell.x + x;
                float3 value;
                if (cell_x_plus_x < 0 || is_below) {
                    value = (float3)0.0;
                } else if (cell_x_plus_x >= cloth.size.x || is_at_least) {
                    value = (float3)0.0;
                } else {
                    float3 across = now[product + cell_x_plus_x].xyz - node.xyz;
                    float reach = max(length(across), 0.00001);
                    float rest = cloth.rest * length(float2(float(x), y_float));
                    value = across * ((reach - rest) / reach * cloth.stiffness);
                }
                force += value;
            }
        }
    }
    float3 velocity = (node.xyz - last[i].xyz) * (1.0 - cloth.damping);
    float3 moved = node.xyz + velocity + force * (node.w * cloth.dt * cloth.dt);
    next[i] = float4(moved, node.w);
}
