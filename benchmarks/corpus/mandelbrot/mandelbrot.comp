#version 450
// The Mandelbrot set: escape time, with the number of steps set when the pipeline is made.

layout(constant_id = 3) const int MAX_STEPS = 64;

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0, std140) uniform View {
    vec2 center;
    vec2 extent;
    uvec2 size;
} view;

layout(set = 0, binding = 1, std430) writeonly buffer Steps { int steps[]; };

int escape_time(vec2 c) {
    vec2 z = vec2(0.0);
    int n = 0;
    while (n < MAX_STEPS && dot(z, z) <= 4.0) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        n++;
    }
    return n;
}

void main() {
    uvec2 id = gl_GlobalInvocationID.xy;
    if (id.x >= view.size.x || id.y >= view.size.y) {
        return;
    }
    vec2 at = (vec2(id) + 0.5) / vec2(view.size) - 0.5;
    steps[id.y * view.size.x + id.x] = escape_time(view.center + at * view.extent);
}
