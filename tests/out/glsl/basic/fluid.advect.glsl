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
layout(binding = 3) uniform sampler linear;

void store(ivec2 place, vec2 value) {
    target[place.y * grid.size.x + place.x] = value;
}

void main() {
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    if (cell.x >= grid.size.x || cell.y >= grid.size.y) {
        return;
    }
    vec2 speed = texelFetch(velocity, cell, 0).xy;
    vec2 origin = (vec2(cell) + 0.5 - speed * grid.dt) / vec2(grid.size);
    store(cell, textureLod(sampler2D(velocity, linear), origin, 0.0).xy
        * exp(-grid.decay * grid.dt));
}
