#version 450

layout(local_size_x = 32) in;

layout(constant_id = 0) const bool VERTICAL = false;
const float WEIGHTS[5] = float[5](0.227027, 0.1945946, 0.1216216, 0.054054, 0.016216);

layout(binding = 0, std140) uniform Image {
    ivec2 size;
} image;

layout(binding = 1, std430) readonly buffer Source {
    vec4 source[];
};

layout(binding = 2, std430) writeonly buffer Target {
    vec4 target[];
};

shared vec4 row[40];

vec4 fetch(ivec2 place) {
    ivec2 p = clamp(place, ivec2(0), image.size - 1);
    return source[p.y * image.size.x + p.x];
}

void main() {
    int lane = int(gl_LocalInvocationID.x);
    int first = int(gl_WorkGroupID.x) * 32;
    int line = int(gl_WorkGroupID.y);
    ivec2 axis = VERTICAL ? ivec2(0, 1) : ivec2(1, 0);
    ivec2 across = axis.yx * line;
    int lane_plus_4 = lane + 4;
    int first_plus_lane = first + lane;
    ivec2 place = axis * first_plus_lane + across;
    row[lane_plus_4] = fetch(place);
    if (lane < 4) {
        row[lane] = fetch(axis * (first_plus_lane - 4) + across);
        row[lane_plus_4 + 32] = fetch(axis * (first_plus_lane + 32) + across);
    }
    barrier();
    vec4 sum = row[lane_plus_4] * 0.227027;
    for (int i = 1; i < 5; i++) {
        sum += (row[lane_plus_4 - i] + row[lane_plus_4 + i]) * WEIGHTS[i];
    }
    if (place.x < image.size.x && place.y < image.size.y) {
        target[place.y * image.size.x + place.x] = sum;
    }
}
