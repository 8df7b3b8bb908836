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

[numthreads(8, 8, 1)]
void mandelbrot(uint3 id : SV_DispatchThreadID) {
    if (id.x >= view.size.x || id.y >= view.size.y) {
        return;
    }
    float2 at = (float2(id.xy) + 0.5) / float2(view.size) - 0.5;
    float2 sum = view.center + at * view.extent;
    int least = min(MAX_STEPS, 1000);
    float2 z = (float2)0.0;
    int n = 0;
    while (n < least && dot(z, z) <= 4.0) {
        z = float2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + sum;
        n += 1;
    }
    steps[id.y * view.size.x + id.x] = n;
}
