// Inclusive prefix sum of each block of 128 numbers (Hillis and Steele), and the blocks' totals.

const SIZE: u32 = 128u;

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> totals: array<u32>;

var<workgroup> ping: array<u32, SIZE>;
var<workgroup> pong: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn prefix_sum(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let i = id.x;
    ping[lane] = 0u;
    if (i < arrayLength(&values)) {
        ping[lane] = values[i];
    }
    workgroupBarrier();

    for (var step = 1u; step < SIZE; step <<= 1u) {
        if (lane >= step) {
            pong[lane] = ping[lane] + ping[lane - step];
        } else {
            pong[lane] = ping[lane];
        }
        workgroupBarrier();
        ping[lane] = pong[lane];
        workgroupBarrier();
    }

    if (i < arrayLength(&sums)) {
        sums[i] = ping[lane];
    }
    if (lane == SIZE - 1u) {
        totals[group.x] = ping[lane];
    }
}
