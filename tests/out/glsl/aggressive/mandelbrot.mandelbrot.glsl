#version 450

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

layout(constant_id = 3) const int MAX_STEPS = 64;

layout(set = 0, binding = 0, std140) uniform View {
    vec2 center;
    vec2 extent;
    uvec2 size;
} view;

layout(set = 0, binding = 1, std430) writeonly buffer StepsBuffer {
    int steps[];
};

void main() {
    if (gl_GlobalInvocationID.x >= view.size.x || gl_GlobalInvocationID.y >= view.size.y) {
        return;
    }
    vec2 at = (vec2(gl_GlobalInvocationID.xy) + 0.5) / vec2(view.size) - 0.5;
    vec2 sum = view.center + at * view.extent;
    int least = min(MAX_STEPS, 1000);
    vec2 z = vec2(0.0);
    int n = 0;
    while (n < least && dot(z, z) <= 4.0) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + sum;
        n += 1;
    }
    steps[gl_GlobalInvocationID.y * view.size.x + gl_GlobalInvocationID.x] = n;
}
