#version 450
// Histogram of log luminance: counted in shared memory first, then added to the result once a bin.

const int BINS = 64;

layout(local_size_x = BINS) in;

layout(set = 0, binding = 0, std140) uniform Range {
    float min_log;
    float inverse_range;
} range;

layout(set = 0, binding = 1, std430) readonly buffer Pixels { vec4 pixels[]; };
layout(set = 0, binding = 2, std430) buffer Result {
    uint darkest;
    uint brightest;
    uint bins[BINS];
} result;

shared uint bins[BINS];

// Bin 0 is for what is too dark to have a logarithm.
uint bin_of(vec3 color) {
    float l = dot(color, vec3(0.2126, 0.7152, 0.0722));
    if (l < 0.001) {
        return 0;
    }
    float t = clamp((log2(l) - range.min_log) * range.inverse_range, 0.0, 1.0);
    return uint(t * float(BINS - 2) + 1.0);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    bins[lane] = 0;
    barrier();

    if (int(gl_GlobalInvocationID.x) < pixels.length()) {
        uint bin = bin_of(pixels[gl_GlobalInvocationID.x].rgb);
        atomicAdd(bins[bin], 1);
        atomicMin(result.darkest, bin);
        atomicMax(result.brightest, bin);
    }
    barrier();

    if (bins[lane] != 0) {
        atomicAdd(result.bins[lane], bins[lane]);
    }
}
