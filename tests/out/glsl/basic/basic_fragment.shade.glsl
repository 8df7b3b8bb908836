#version 450

layout(set = 1, binding = 2, std140) uniform LightDir {
    vec3 light_dir;
};

layout(set = 1, binding = 0) uniform sampler2D material_tex;

layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 color;

void main() {
    vec4 albedo = texture(material_tex, uv);
    vec3 n = normalize(normal);
    float light = max(dot(n, light_dir), 0.0);
    color = vec4(albedo.xyz * light, albedo.w);
}
