#version 450

struct Light {
    vec3 position;
    vec3 color;
};

layout(binding = 0, std140) uniform Scene {
    Light lights[2];
    vec3 camera;
    vec3 ambient;
    float shininess;
} scene;

layout(set = 1, binding = 0) uniform sampler2D albedo_map;
layout(set = 1, binding = 2) uniform sampler2D normal_map;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 tangent;
layout(location = 3) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec4 albedo = texture(albedo_map, uv);
    vec3 n = normalize(normal);
    vec3 t = normalize(tangent - n * dot(tangent, n));
    vec3 b = cross(n, t);
    mat3 tbn = mat3(t, b, n);
    vec3 mapped = texture(normal_map, uv).xyz * 2.0 - 1.0;
    vec3 transformed = tbn * mapped;
    n = normalize(transformed);
    vec3 v = normalize(scene.camera - world);
    vec3 color = scene.ambient * albedo.xyz;
    float dot_product = dot(transformed, v);
    float dot_product_1 = dot(transformed, transformed);
    for (int i = 0; i < 2; i++) {
        vec3 position_minus_world = scene.lights[i].position - world;
        vec3 l = normalize(position_minus_world);
        float diffuse = clamp(dot(n, l), 0.0, 1.0);
        float reach = length(position_minus_world);
        float attenuation = 1.0 / ((0.032 * reach + 0.09) * reach + 1.0);
        float specular =
            pow(clamp((dot(transformed, l) + dot_product)
                * inversesqrt(dot_product_1 * (2.0 + 2.0 * dot(l, v))), 0.0, 1.0), scene.shininess);
        color += scene.lights[i].color
            * (albedo.xyz * (diffuse * attenuation) + albedo.w * specular * attenuation);
    }
    out_color = vec4(color, 1.0);
}
