// dxc -T cs_6_2 -E advect -HV 2021

struct Grid {
    int2 size;
    float dt;
    float decay;
};

ConstantBuffer<Grid> grid : register(b0);

Texture2D velocity : register(t1);
SamplerState linear_1 : register(s3);
RWStructuredBuffer<float2> target : register(u4);

void store(int2 place, float2 value) {
    target[place.y * grid.size.x + place.x] = value;
}

[numthreads(8, 8, 1)]
void advect(uint3 id : SV_DispatchThreadID) {
    int2 cell = int2(id.xy);
    if (cell.x >= grid.size.x || cell.y >= grid.size.y) {
        return;
    }
    float2 speed = velocity.Load(int3(cell, 0)).xy;
    float2 origin = (float2(cell) + 0.5 - speed * grid.dt) / float2(grid.size);
    store(cell, velocity.SampleLevel(linear_1, origin, 0.0).xy * exp(-grid.decay * grid.dt));
}
