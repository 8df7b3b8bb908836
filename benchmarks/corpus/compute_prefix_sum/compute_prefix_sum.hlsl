// dxc -T cs_6_2 -E prefix_sum -HV 2021
// Inclusive prefix sum of each block of 128 numbers (Hillis and Steele), and the blocks' totals.

static const uint SIZE = 128;

StructuredBuffer<uint> values : register(t0, space0);
RWStructuredBuffer<uint> sums : register(u1, space0);
RWStructuredBuffer<uint> totals : register(u2, space0);

groupshared uint ping[SIZE];
groupshared uint pong[SIZE];

[numthreads(SIZE, 1, 1)]
void prefix_sum(
    uint3 global : SV_DispatchThreadID, uint lane : SV_GroupIndex, uint3 group : SV_GroupID
) {
    uint i = global.x;
    uint count, stride;
    values.GetDimensions(count, stride);
    ping[lane] = 0;
    if (i < count) {
        ping[lane] = values[i];
    }
    GroupMemoryBarrierWithGroupSync();

    for (uint step = 1; step < SIZE; step <<= 1) {
        if (lane >= step) {
            pong[lane] = ping[lane] + ping[lane - step];
        } else {
            pong[lane] = ping[lane];
        }
        GroupMemoryBarrierWithGroupSync();
        ping[lane] = pong[lane];
        GroupMemoryBarrierWithGroupSync();
    }

    sums.GetDimensions(count, stride);
    if (i < count) {
        sums[i] = ping[lane];
    }
    if (lane == SIZE - 1) {
        totals[group.x] = ping[lane];
    }
}
