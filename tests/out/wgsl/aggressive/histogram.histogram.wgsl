struct Range {
    min_log: f32,
    inverse_range: f32,
}

struct Result {
    darkest: atomic<u32>,
    brightest: atomic<u32>,
    bins: array<atomic<u32>, 64>,
}

@group(0) @binding(0) var<uniform> range: Range;
@group(0) @binding(1) var<storage, read> pixels: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> result: Result;

var<workgroup> bins: array<atomic<u32>, 64>;

@compute @workgroup_size(64)
fn histogram(@builtin(global_invocation_id) global: vec3<u32>,
    @builtin(local_invocation_index) lane: u32) {
    atomicStore(&bins[lane], 0u);
    workgroupBarrier();
    if (i32(global.x) < i32(arrayLength(&pixels))) {
        let l = dot(pixels[global.x].xyz, vec3<f32>(0.2126, 0.7152, 0.0722));
        var bin: u32;
        if (l < 0.001) {
            bin = 0u;
        } else {
            let t = saturate((log2(l) - range.min_log) * range.inverse_range);
            bin = u32(t * 62.0 + 1.0);
        }
        atomicAdd(&bins[bin], 1u);
        atomicMin(&result.darkest, bin);
        atomicMax(&result.brightest, bin);
    }
    workgroupBarrier();
    let bin = atomicLoad(&bins[lane]);
    if (bin != 0u) {
        atomicAdd(&result.bins[lane], bin);
    }
}
