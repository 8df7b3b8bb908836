struct Work {
    count: i32,
    stride: i32,
}

struct Summary {
    sum: f32,
    least: f32,
    greatest: f32,
}

@group(0) @binding(0) var<uniform> work: Work;
@group(0) @binding(1) var<storage, read> numbers: array<f32>;
@group(0) @binding(2) var<storage, read_write> partial: array<Summary>;

var<workgroup> sums: array<f32, 64>;
var<workgroup> lows: array<f32, 64>;
var<workgroup> highs: array<f32, 64>;

@compute @workgroup_size(64)
fn reduce(@builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let lane = i32(local);
    var i = i32(group.x) * 64 + lane;
    var sum = 0.0;
    var low = 3.402823e38;
    var high = -3.402823e38;
    for (var j = 0; j < 1000000 && i < work.count; j++) {
        let number = numbers[i];
        sum += number;
        low = min(low, number);
        high = max(high, number);
        i += work.stride;
    }
    sums[lane] = sum;
    lows[lane] = low;
    highs[lane] = high;
    workgroupBarrier();
    var width = 32;
    while (width > 0) {
        if (lane < width) {
            let lane_plus_width = lane + width;
            sums[lane] += sums[lane_plus_width];
            lows[lane] = min(lows[lane], lows[lane_plus_width]);
            highs[lane] = max(highs[lane], highs[lane_plus_width]);
        }
        workgroupBarrier();
        width /= 2;
    }
    if (lane == 0) {
        partial[group.x] = Summary(sums[0], lows[0], highs[0]);
    }
}
