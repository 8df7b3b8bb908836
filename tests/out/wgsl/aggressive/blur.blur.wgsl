struct Image {
    size: vec2<i32>,
}

@id(0) override VERTICAL: bool = false;
const WEIGHTS = array<f32, 5>(0.227027, 0.1945946, 0.1216216, 0.054054, 0.016216);

@group(0) @binding(0) var<uniform> image: Image;
@group(0) @binding(1) var<storage, read> source: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> target_1: array<vec4<f32>>;

var<workgroup> row: array<vec4<f32>, 40>;

fn fetch(place: vec2<i32>) -> vec4<f32> {
    let p = clamp(place, vec2<i32>(0), image.size - 1);
    return source[p.y * image.size.x + p.x];
}

@compute @workgroup_size(32)
fn blur(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    let lane = i32(local.x);
    let first = i32(group.x) * 32;
    let line = i32(group.y);
    let axis = select(vec2<i32>(1, 0), vec2<i32>(0, 1), VERTICAL);
    let across = axis.yx * line;
    let lane_plus_4 = lane + 4;
    let first_plus_lane = first + lane;
    let place = axis * first_plus_lane + across;
    row[lane_plus_4] = fetch(place);
    if (lane < 4) {
        row[lane] = fetch(axis * (first_plus_lane - 4) + across);
        row[lane_plus_4 + 32] = fetch(axis * (first_plus_lane + 32) + across);
    }
    workgroupBarrier();
    var sum = row[lane_plus_4] * 0.227027;
    for (var i = 1; i < 5; i++) {
        sum += (row[lane_plus_4 - i] + row[lane_plus_4 + i]) * WEIGHTS[i];
    }
    if (place.x < image.size.x && place.y < image.size.y) {
        target_1[place.y * image.size.x + place.x] = sum;
    }
}
