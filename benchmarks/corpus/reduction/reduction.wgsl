// The sum, least and greatest of many numbers: one partial result for each workgroup.

const SIZE: i32 = 64;

struct Summary {
    sum: f32,
    least: f32,
    greatest: f32,
}

struct Work {
    count: i32,
    stride: i32, // numbers that all workgroups together take at a time
}

@group(0) @binding(0) var<uniform> work: Work;
@group(0) @binding(1) var<storage, read> numbers: array<f32>;
@group(0) @binding(2) var<storage, read_write> partial: array<Summary>;

var<workgroup> sums: array<f32, SIZE>;
var<workgroup> lows: array<f32, SIZE>;
var<workgroup> highs: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn reduce(
    @builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3<u32>
) {
    let lane = i32(local);
    var sum = 0.0;
    var low = 3.402823e38;
    var high = -3.402823e38;
    for (var i = i32(group.x) * SIZE + lane; i < work.count; i += work.stride) {
        sum += numbers[i];
        low = min(low, numbers[i]);
        high = max(high, numbers[i]);
    }
    sums[lane] = sum;
    lows[lane] = low;
    highs[lane] = high;
    workgroupBarrier();

    for (var width = SIZE / 2; width > 0; width /= 2) {
        if (lane < width) {
            sums[lane] += sums[lane + width];
            lows[lane] = min(lows[lane], lows[lane + width]);
            highs[lane] = max(highs[lane], highs[lane + width]);
        }
        workgroupBarrier();
    }
    if (lane == 0) {
        partial[group.x] = Summary(sums[0], lows[0], highs[0]);
    }
}
