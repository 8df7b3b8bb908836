#version 450
// One pass of a separable Gaussian blur; rows are staged in shared memory with an apron on both
// sides.  The direction is chosen when the pipeline is made.

const int TILE = 32;
const int RADIUS = 4;
const float WEIGHTS[5] = float[](0.227027, 0.1945946, 0.1216216, 0.054054, 0.016216);

layout(constant_id = 0) const bool VERTICAL = false;

layout(local_size_x = TILE) in;

layout(set = 0, binding = 0, std140) uniform Image {
    ivec2 size;
} image;

layout(set = 0, binding = 1, std430) readonly buffer Source { vec4 source[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Target { vec4 target[]; };

shared vec4 row[TILE + 2 * RADIUS];

vec4 fetch(ivec2 place) {
    ivec2 p = clamp(place, ivec2(0), image.size - 1);
    return source[p.y * image.size.x + p.x];
}

void main() {
    int lane = int(gl_LocalInvocationID.x);
    int first = int(gl_WorkGroupID.x) * TILE;
    int line = int(gl_WorkGroupID.y);
    ivec2 axis = VERTICAL ? ivec2(0, 1) : ivec2(1, 0);
    ivec2 across = axis.yx * line;

    row[lane + RADIUS] = fetch(axis * (first + lane) + across);
    if (lane < RADIUS) {
        row[lane] = fetch(axis * (first + lane - RADIUS) + across);
        row[lane + RADIUS + TILE] = fetch(axis * (first + lane + TILE) + across);
    }
    barrier();

    vec4 sum = row[lane + RADIUS] * WEIGHTS[0];
    for (int i = 1; i <= RADIUS; i++) {
        sum += (row[lane + RADIUS - i] + row[lane + RADIUS + i]) * WEIGHTS[i];
    }

    ivec2 place = axis * (first + lane) + across;
    if (place.x < image.size.x && place.y < image.size.y) {
        target[place.y * image.size.x + place.x] = sum;
    }
}
