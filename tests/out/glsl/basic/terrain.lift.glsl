#version 450

layout(binding = 0, std140) uniform Terrain {
    mat4 view_proj;
    vec3 to_sun;
    float height;
    vec2 origin;
    vec2 size;
    float texel;
    float tiling;
    float contrast;
} terrain;

layout(binding = 1) uniform sampler2D heights;

layout(location = 0) in vec2 cell;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec3 normal;

float height_at(vec2 uv) {
    return textureLod(heights, uv, 0.0).x * terrain.height;
}

void main() {
    vec2 value = vec2(terrain.texel, 0.0);
    float dx = height_at(cell + value) - height_at(cell - value);
    vec2 value_1 = vec2(0.0, terrain.texel);
    float dz = height_at(cell + value_1) - height_at(cell - value_1);
    float texel_times_2 = 2.0 * terrain.texel;
    vec2 place = terrain.origin + cell * terrain.size;
    gl_Position = terrain.view_proj * vec4(place.x, height_at(cell), place.y, 1.0);
    uv = cell;
    normal = normalize(vec3(-dx / (texel_times_2 * terrain.size.x), 1.0,
        -dz / (texel_times_2 * terrain.size.y)));
}
