// dxc -T cs_6_2 -E histogram -HV 2021

struct Range {
    float min_log;
    float inverse_range;
};

ConstantBuffer<Range> range : register(b0);

StructuredBuffer<float4> pixels : register(t1);
RWByteAddressBuffer result : register(u2);

groupshared uint bins[64];

int pixels_length() {
    uint length, stride;
    pixels.GetDimensions(length, stride);
    return int(length);
}

[numthreads(64, 1, 1)]
void histogram(uint3 global : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    bins[lane] = 0u;
    GroupMemoryBarrierWithGroupSync();
    if (int(global.x) < pixels_length()) {
        float l = dot(pixels[global.x].xyz, float3(0.2126, 0.7152, 0.0722));
        uint bin;
        if (l < 0.001) {
            bin = 0u;
        } else {
            float t = saturate((log2(l) - range.min_log) * range.inverse_range);
            bin = uint(t * 62.0 + 1.0);
        }
        InterlockedAdd(bins[bin], 1u);
        result.InterlockedMin(0, bin);
        result.InterlockedMax(4, bin);
    }
    GroupMemoryBarrierWithGroupSync();
    uint bin = bins[lane];
    if (bin != 0u) {
        result.InterlockedAdd(lane * 4 + 8, bin);
    }
}
