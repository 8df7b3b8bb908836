// dxc -T cs_6_2 -E prefix_sum -HV 2021

StructuredBuffer<uint> values : register(t0);
RWStructuredBuffer<uint> sums : register(u1);
RWStructuredBuffer<uint> totals : register(u2);

groupshared uint ping[128];
groupshared uint pong[128];

int values_length() {
    uint length, stride;
    values.GetDimensions(length, stride);
    return int(length);
}

int sums_length() {
    uint length, stride;
    sums.GetDimensions(length, stride);
    return int(length);
}

[numthreads(128, 1, 1)]
void prefix_sum(uint3 global : SV_DispatchThreadID, uint lane : SV_GroupIndex,
    uint3 group : SV_GroupID) {
    ping[lane] = 0u;
    uint i = global.x;
    if (i < uint(values_length())) {
        ping[lane] = values[i];
    }
    GroupMemoryBarrierWithGroupSync();
    for (uint step_1 = 1u; step_1 < 128u; step_1 <<= 1u) {
        if (lane >= step_1) {
            pong[lane] = ping[lane] + ping[lane - step_1];
        } else {
            pong[lane] = ping[lane];
        }
        GroupMemoryBarrierWithGroupSync();
        ping[lane] = pong[lane];
        GroupMemoryBarrierWithGroupSync();
    }
    if (i < uint(sums_length())) {
        sums[i] = ping[lane];
    }
    if (lane == 127u) {
        totals[group.x] = ping[lane];
    }
}
