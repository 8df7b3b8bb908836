// Histogram of log luminance: counted in shared memory first, then added to the result once a bin.

const BINS = 64;

struct Range {
    min_log: f32,
    inverse_range: f32,
}

struct Result {
    darkest: atomic<u32>,
    brightest: atomic<u32>,
    bins: array<atomic<u32>, BINS>,
}

@group(0) @binding(0) var<uniform> range: Range;
@group(0) @binding(1) var<storage, read> pixels: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> result: Result;

var<workgroup> bins: array<atomic<u32>, BINS>;

// Bin 0 is for what is too dark to have a logarithm.
fn bin_of(color: vec3<f32>) -> u32 {
    let l = dot(color, vec3(0.2126, 0.7152, 0.0722));
    if (l < 0.001) {
        return 0u;
    }
    let t = clamp((log2(l) - range.min_log) * range.inverse_range, 0.0, 1.0);
    return u32(t * f32(BINS - 2) + 1.0);
}

@compute @workgroup_size(BINS)
fn histogram(
    @builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32
) {
    atomicStore(&bins[lane], 0u);
    workgroupBarrier();

    if (id.x < arrayLength(&pixels)) {
        let bin = bin_of(pixels[id.x].rgb);
        atomicAdd(&bins[bin], 1u);
        atomicMin(&result.darkest, bin);
        atomicMax(&result.brightest, bin);
    }
    workgroupBarrier();

    let count = atomicLoad(&bins[lane]);
    if (count != 0u) {
        atomicAdd(&result.bins[lane], count);
    }
}
