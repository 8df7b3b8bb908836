// dxc -T cs_6_2 -E project -HV 2021

struct Grid {
    int2 size;
    float dt;
    float decay;
};

ConstantBuffer<Grid> grid : register(b0);

Texture2D velocity : register(t1);
Texture2D pressure : register(t2);
RWStructuredBuffer<float2> target : register(u4);

int2 at(int2 place) {
    return clamp(place, (int2)0, grid.size - 1);
}

float pressure_at(int2 place) {
    return pressure.Load(int3(at(place), 0)).x;
}

void store(int2 place, float2 value) {
    target[place.y * grid.size.x + place.x] = value;
}

[numthreads(8, 8, 1)]
void project(uint3 id : SV_DispatchThreadID) {
    int2 cell = int2(id.xy);
    if (cell.x >= grid.size.x || cell.y >= grid.size.y) {
        return;
    }
    float2 gradient = 0.5
        * float2(pressure_at(cell + int2(1, 0)) - pressure_at(cell - int2(1, 0)),
            pressure_at(cell + int2(0, 1)) - pressure_at(cell - int2(0, 1)));
    store(cell, velocity.Load(int3(cell, 0)).xy - gradient);
}
