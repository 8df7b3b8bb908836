#version 450

layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;

layout(set = 0, binding = 0, std140) uniform Range {
    float min_log;
    float inverse_range;
} range;

layout(set = 0, binding = 1, std430) readonly buffer PixelsBuffer {
    vec4 pixels[];
};

layout(set = 0, binding = 2, std430) buffer Result {
    uint darkest;
    uint brightest;
    uint bins[64];
} result;

shared uint bins[64];

void main() {
    bins[gl_LocalInvocationIndex] = 0u;
    memoryBarrierShared();
    barrier();
    if (int(gl_GlobalInvocationID.x) < pixels.length()) {
        float dot_product = dot(pixels[gl_GlobalInvocationID.x].xyz, vec3(0.2126, 0.7152, 0.0722));
        uint value;
        if (dot_product < 0.001) {
            value = 0u;
        } else {
            float t = clamp((log2(dot_product) - range.min_log) * range.inverse_range, 0.0, 1.0);
            value = uint(t * 62.0 + 1.0);
        }
        atomicAdd(bins[value], 1u);
        atomicMin(result.darkest, value);
        atomicMax(result.brightest, value);
    }
    memoryBarrierShared();
    barrier();
    uint bin = bins[gl_LocalInvocationIndex];
    if (bin != 0u) {
        atomicAdd(result.bins[gl_LocalInvocationIndex], bin);
    }
}
