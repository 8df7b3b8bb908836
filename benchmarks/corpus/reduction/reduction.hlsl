// dxc -T cs_6_2 -E reduce -HV 2021
// The sum, least and greatest of many numbers: one partial result for each workgroup.

static const int SIZE = 64;

struct Summary {
    float sum;
    float least;
    float greatest;
};

struct Work {
    int count;
    int stride; // numbers that all workgroups together take at a time
};

ConstantBuffer<Work> work : register(b0, space0);

StructuredBuffer<float> numbers : register(t1, space0);
RWStructuredBuffer<Summary> partial_ : register(u2, space0);

groupshared float sums[SIZE];
groupshared float lows[SIZE];
groupshared float highs[SIZE];

[numthreads(SIZE, 1, 1)]
void reduce(uint local : SV_GroupIndex, uint3 group : SV_GroupID) {
    int lane = int(local);
    float sum = 0.0;
    float low = 3.402823e38;
    float high = -3.402823e38;
    for (int i = int(group.x) * SIZE + lane; i < work.count; i += work.stride) {
        sum += numbers[i];
        low = min(low, numbers[i]);
        high = max(high, numbers[i]);
    }
    sums[lane] = sum;
    lows[lane] = low;
    highs[lane] = high;
    GroupMemoryBarrierWithGroupSync();

    for (int width = SIZE / 2; width > 0; width /= 2) {
        if (lane < width) {
            sums[lane] += sums[lane + width];
            lows[lane] = min(lows[lane], lows[lane + width]);
            highs[lane] = max(highs[lane], highs[lane + width]);
        }
        GroupMemoryBarrierWithGroupSync();
    }
    if (lane == 0) {
        Summary summary = { sums[0], lows[0], highs[0] };
        partial_[group.x] = summary;
    }
}
