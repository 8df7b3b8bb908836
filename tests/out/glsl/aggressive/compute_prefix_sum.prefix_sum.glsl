#version 450

layout(local_size_x = 128) in;

layout(binding = 0, std430) readonly buffer Values {
    uint values[];
};

layout(binding = 1, std430) buffer Sums {
    uint sums[];
};

layout(binding = 2, std430) buffer Totals {
    uint totals[];
};

shared uint ping[128];
shared uint pong[128];

void main() {
    uint lane = gl_LocalInvocationIndex;
    ping[lane] = 0u;
    uint i = gl_GlobalInvocationID.x;
    if (i < uint(values.length())) {
        ping[lane] = values[i];
    }
    barrier();
    for (uint step_1 = 1u; step_1 < 128u; step_1 <<= 1u) {
        if (lane >= step_1) {
            pong[lane] = ping[lane] + ping[lane - step_1];
        } else {
            pong[lane] = ping[lane];
        }
        barrier();
        ping[lane] = pong[lane];
        barrier();
    }
    if (i < uint(sums.length())) {
        sums[i] = ping[lane];
    }
    if (lane == 127u) {
        totals[gl_WorkGroupID.x] = ping[lane];
    }
}
