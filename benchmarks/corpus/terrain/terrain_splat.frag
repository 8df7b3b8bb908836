#version 450
// Terrain: four layers of ground are blended by their own heights.

const int LAYERS = 4;

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

layout(set = 0, binding = 3) uniform texture2D weights;
layout(set = 0, binding = 4) uniform sampler weights_samp;
layout(set = 0, binding = 5) uniform texture2DArray albedo; // height in alpha
layout(set = 0, binding = 6) uniform sampler albedo_samp;

layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 normal;

layout(location = 0) out vec4 out_color;

void main() {
    vec4 share = texture(sampler2D(weights, weights_samp), uv);
    vec3 color = vec3(0.0);
    float total = 0.0;
    for (int layer = 0; layer < LAYERS; layer++) {
        vec3 place = vec3(uv * terrain.tiling, float(layer));
        vec4 ground = texture(sampler2DArray(albedo, albedo_samp), place);
        float strength = pow(share[layer] * (ground.a + 0.01), terrain.contrast);
        color += ground.rgb * strength;
        total += strength;
    }
    float sun = max(dot(normalize(normal), terrain.to_sun), 0.0);
    out_color = vec4(color / max(total, 0.0001) * (0.2 + 0.8 * sun), 1.0);
}
