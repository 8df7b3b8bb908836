// dxc -T cs_6_2 -E mandelbrot -HV 2021

struct View {
    float2 center;
    float2 extent;
    uint2 size;
};

#ifdef __spirv__
[[vk::constant_id(3)]] const int MAX_STEPS = 64;
#else
static const int MAX_STEPS = 64;
#endif

ConstantBuffer<View> view : register(b0);

RWStructuredBuffer<int> steps : register(u1);

int escape_time(float2 c) {
    float2 z = (float2)0.0;
    int n = 0;
    while (n < 1000 && n < MAX_STEPS && dot(z, z) <= 4.0) {
        z = float2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        n += 1;
    }
    return n;
}

[numthreads(8, 8, 1)]
void mandelbrot(uint3 id : SV_DispatchThreadID) {
    if (id.x >= view.size.x || id.y >= view.size.y) {
        return;
    }
    float2 at = (float2(id.xy) + 0.5) / float2(view.size) - 0.5;
    steps[id.y * view.size.x + id.x] = escape_time(view.center + at * view.extent);
}
