// dxc -T cs_6_2 -E histogram -HV 2021
// Histogram of log luminance: counted in shared memory first, then added to the result once a bin.

static const int BINS = 64;

struct Range {
    float min_log;
    float inverse_range;
};

struct Result {
    uint darkest;
    uint brightest;
    uint bins[BINS];
};

ConstantBuffer<Range> range : register(b0, space0);

StructuredBuffer<float4> pixels : register(t1, space0);
RWStructuredBuffer<Result> result : register(u2, space0);

groupshared uint bins[BINS];

// Bin 0 is for what is too dark to have a logarithm.
uint bin_of(float3 color) {
    float l = dot(color, float3(0.2126, 0.7152, 0.0722));
    if (l < 0.001) {
        return 0;
    }
    float t = saturate((log2(l) - range.min_log) * range.inverse_range);
    return uint(t * float(BINS - 2) + 1.0);
}

[numthreads(BINS, 1, 1)]
void histogram(uint3 global : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    bins[lane] = 0;
    GroupMemoryBarrierWithGroupSync();

    uint count, stride;
    pixels.GetDimensions(count, stride);
    if (global.x < count) {
        uint bin = bin_of(pixels[global.x].rgb);
        InterlockedAdd(bins[bin], 1);
        InterlockedMin(result[0].darkest, bin);
        InterlockedMax(result[0].brightest, bin);
    }
    GroupMemoryBarrierWithGroupSync();

    if (bins[lane] != 0) {
        InterlockedAdd(result[0].bins[lane], bins[lane]);
    }
}
