#version 450
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 0, std140) uniform Grid {
    ivec2 size;
    float dt;
    float decay;
} grid;

layout(binding = 4, std430) writeonly buffer Target {
    vec2 target[];
};

layout(binding = 1) uniform texture2D velocity;
layout(binding = 2) uniform texture2D pressure;

float pressure_at(ivec2 place) {
    return texelFetch(pressure, clamp(place, ivec2(0), grid.size - 1), 0).x;
}

void main() {
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    if (cell.x >= grid.size.x || cell.y >= grid.size.y) {
        return;
    }
    vec2 gradient = 0.5
        * vec2(pressure_at(cell + ivec2(1, 0)) - pressure_at(cell - ivec2(1, 0)),
            pressure_at(cell + ivec2(0, 1)) - pressure_at(cell - ivec2(0, 1)));
    target[cell.y * grid.size.x + cell.x] = texelFetch(velocity, cell, 0).xy - gradient;
}
