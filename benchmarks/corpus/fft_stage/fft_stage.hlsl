// dxc -T cs_6_2 -E butterfly -HV 2021
// One stage of Stockham's radix-2 FFT over the rows of an image of complex numbers.

static const float TAU = 6.283185307179586;

struct Stage {
    int size;        // numbers in a row, a power of two
    int stride;      // 1, 2, 4, ... up to half of the size
    float direction; // -1 forward, 1 back
};

ConstantBuffer<Stage> stage : register(b0, space0);

StructuredBuffer<float2> before : register(t1, space0);
RWStructuredBuffer<float2> after : register(u2, space0);

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
    int k = i % stage.stride;
    float angle = stage.direction * TAU * float(k) / float(2 * stage.stride);
    float2 twiddle = float2(cos(angle), sin(angle));
    float2 even = before[row + i];
    float2 odd = complex_mul(before[row + i + half_size], twiddle);
    int first = (i / stage.stride) * 2 * stage.stride + k;
    after[row + first] = even + odd;
    after[row + first + stage.stride] = even - odd;
}
