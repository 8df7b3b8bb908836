// dxc -T cs_6_2 -E butterfly -HV 2021

struct Stage {
    int size;
    int stride;
    float direction;
};

ConstantBuffer<Stage> stage : register(b0);

StructuredBuffer<float2> before : register(t1);
RWStructuredBuffer<float2> after : register(u2);

float2 complex_mul(float2 a, float2 b) {
    return float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

[numthreads(32, 1, 1)]
void butterfly(uint3 id : SV_DispatchThreadID) {
    int i = int(id.x);
    int half_size = stage.size / 2;
    if (i >= half_size) {
        return;
    }
    int row = int(id.y) * stage.size;
    int k = i - stage.stride * (i / stage.stride);
    float angle = stage.direction * 6.2831855 * float(k) / float(2 * stage.stride);
    float2 twiddle = float2(cos(angle), sin(angle));
    int row_plus_i = row + i;
    float2 even = before[row_plus_i];
    float2 odd = complex_mul(before[row_plus_i + half_size], twiddle);
    int first = i / stage.stride * 2 * stage.stride + k;
    int row_plus_first = row + first;
    after[row_plus_first] = even + odd;
    after[row_plus_first + stage.stride] = even - odd;
}
