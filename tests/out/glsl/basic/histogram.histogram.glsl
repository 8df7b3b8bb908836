#version 450

layout(local_size_x = 64) in;

layout(binding = 0, std140) uniform Range {
    float min_log;
    float inverse_range;
} range;

layout(binding = 1, std430) readonly buffer Pixels {
    vec4 pixels[];
};

layout(binding = 2, std430) buffer Result {
    uint darkest;
    uint brightest;
    uint bins[64];
} result;

shared uint bins[64];

float luminance(vec3 color) {
    return dot(color, vec3(0.2126, 0.7152, 0.0722));
}

uint bin_of(vec3 color) {
    float l = luminance(color);
    if (l < 0.001) {
        return 0u;
    }
    float t = clamp((log2(l) - range.min_log) * range.inverse_range, 0.0, 1.0);
    return uint(t * 62.0 + 1.0);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    bins[lane] = 0u;
    barrier();
    if (int(gl_GlobalInvocationID.x) < pixels.length()) {
        uint bin = bin_of(pixels[gl_GlobalInvocationID.x].xyz);
        atomicAdd(bins[bin], 1u);
        atomicMin(result.darkest, bin);
        atomicMax(result.brightest, bin);
    }
    barrier();
    uint bin = bins[lane];
    if (bin != 0u) {
        atomicAdd(result.bins[lane], bin);
    }
}
