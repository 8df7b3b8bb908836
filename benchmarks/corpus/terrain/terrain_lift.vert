#version 450
// Terrain: a height map lifts a grid.

layout(set = 0, binding = 0, std140) uniform Terrain {
    mat4 view_proj;
    vec3 to_sun;
    float height;
    vec2 origin;
    vec2 size;
    float texel;
    float tiling;
    float contrast;
} terrain;

layout(set = 0, binding = 1) uniform texture2D heights;
layout(set = 0, binding = 2) uniform sampler heights_samp;

layout(location = 0) in vec2 cell;

layout(location = 0) out vec2 out_uv;
layout(location = 1) out vec3 out_normal;

float height_at(vec2 uv) {
    return textureLod(sampler2D(heights, heights_samp), uv, 0.0).r * terrain.height;
}

void main() {
    vec2 uv = cell;
    float dx = height_at(uv + vec2(terrain.texel, 0.0)) - height_at(uv - vec2(terrain.texel, 0.0));
    float dz = height_at(uv + vec2(0.0, terrain.texel)) - height_at(uv - vec2(0.0, terrain.texel));
    vec2 spacing = 2.0 * terrain.texel * terrain.size;
    vec2 place = terrain.origin + uv * terrain.size;
    gl_Position = terrain.view_proj * vec4(place.x, height_at(uv), place.y, 1.0);
    out_uv = uv;
    out_normal = normalize(vec3(-dx / spacing.x, 1.0, -dz / spacing.y));
}
