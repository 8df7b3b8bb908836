// dxc -T cs_6_2 -E reduce -HV 2021

struct Work {
    int count;
    int stride;
};

struct Summary {
    float sum;
    float least;
    float greatest;
};

ConstantBuffer<Work> work : register(b0);

StructuredBuffer<float> numbers : register(t1);
RWStructuredBuffer<Summary> partial : register(u2);

groupshared float sums[64];
groupshared float lows[64];
groupshared float highs[64];

[numthreads(64, 1, 1)]
void reduce(uint local : SV_GroupIndex, uint3 group : SV_GroupID) {
    int lane = int(local);
    int i = int(group.x) * 64 + lane;
    float sum = 0.0;
    float low = 3.402823e38;
    float high = -3.402823e38;
    for (int j = 0; j < 1000000 && i < work.count; j++) {
        float number = numbers[i];
        sum += number;
        low = min(low, number);
        high = max(high, number);
        i += work.stride;
    }
    sums[lane] = sum;
    lows[lane] = low;
    highs[lane] = high;
    GroupMemoryBarrierWithGroupSync();
    int width = 32;
    while (width > 0) {
        if (lane < width) {
            int lane_plus_width = lane + width;
            sums[lane] += sums[lane_plus_width];
            lows[lane] = min(lows[lane], lows[lane_plus_width]);
            highs[lane] = max(highs[lane], highs[lane_plus_width]);
        }
        GroupMemoryBarrierWithGroupSync();
        width /= 2;
    }
    if (lane == 0) {
        float lows_0 = lows[0];
        float highs_0 = highs[0];
        partial[group.x].sum = sums[0];
        partial[group.x].least = lows_0;
        partial[group.x].greatest = highs_0;
    }
}
