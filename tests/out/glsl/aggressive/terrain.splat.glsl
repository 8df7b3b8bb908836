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

layout(binding = 3) uniform sampler2D weights;
layout(binding = 5) uniform sampler2DArray albedo;

layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 out_color;

void main() {
    vec4 weight = texture(weights, uv);
    float share[4] = float[4](weight.x, weight.y, weight.z, weight.w);
    vec2 uv_times_tiling = uv * terrain.tiling;
    vec3 color = vec3(0.0);
    float total = 0.0;
    for (int layer = 0; layer < 4; layer++) {
        vec4 ground = texture(albedo, vec3(uv_times_tiling, float(layer)));
        float strength = pow(share[layer] * (ground.w + 0.01), terrain.contrast);
        color += ground.xyz * strength;
        total += strength;
    }
    float sun = max(dot(normal, terrain.to_sun) * inversesqrt(dot(normal, normal)), 0.0);
    out_color = vec4(color * ((0.2 + 0.8 * sun) / max(total, 0.0001)), 1.0);
}
