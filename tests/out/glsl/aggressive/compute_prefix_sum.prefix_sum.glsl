#version 450

layout(local_size_x = 128, local_size_y = 1, local_size_z = 1) in;

layout(set = 0, binding = 0, std430) readonly buffer ValuesBuffer {
    uint values[];
};

layout(set = 0, binding = 1, std430) buffer SumsBuffer {
    uint sums[];
};

layout(set = 0, binding = 2, std430) buffer TotalsBuffer {
    uint totals[];
};

shared uint ping[128];
shared uint pong[128];

void main() {
    ping[gl_LocalInvocationIndex] = 0u;
    uint i = gl_GlobalInvocationID.x;
    if (i < uint(values.length())) {
        ping[gl_LocalInvocationIndex] = values[i];
    }
    memoryBarrierShared();
    barrier();
    for (uint step_1 = 1u; step_1 < 128u; step_1 <<= 1u) {
        if (gl_LocalInvocationIndex >= step_1) {
            pong[gl_LocalInvocationIndex] = ping[gl_LocalInvocationIndex]
                + ping[gl_LocalInvocationIndex - step_1];
        } else {
            pong[gl_LocalInvocationIndex] = ping[gl_LocalInvocationIndex];
        }
        memoryBarrierShared();
        barrier();
        ping[gl_LocalInvocationIndex] = pong[gl_LocalInvocationIndex];
        memoryBarrierShared();
        barrier();
    }
    if (i < uint(sums.length())) {
        sums[i] = ping[gl_LocalInvocationIndex];
    }
    if (gl_LocalInvocationIndex == 127u) {
        totals[gl_WorkGroupID.x] = ping[gl_LocalInvocationIndex];
    }
}
