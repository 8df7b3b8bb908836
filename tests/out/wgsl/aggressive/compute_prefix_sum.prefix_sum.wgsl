@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> totals: array<u32>;

var<workgroup> ping: array<u32, 128>;
var<workgroup> pong: array<u32, 128>;

@compute @workgroup_size(128)
fn prefix_sum(@builtin(global_invocation_id) global: vec3<u32>,
    @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    ping[lane] = 0u;
    let i = global.x;
    if (i < arrayLength(&values)) {
        ping[lane] = values[i];
    }
    workgroupBarrier();
    for (var step_1 = 1u; step_1 < 128u; step_1 <<= 1u) {
        if (lane >= step_1) {
            pong[lane] = ping[lane] + ping[lane - step_1];
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
    if (lane == 127u) {
        totals[group.x] = ping[lane];
    }
}
