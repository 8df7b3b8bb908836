#version 450

layout(binding = 0) uniform sampler2D material_tex;

layout(location = 0) in vec2 uv;
layout(location = 1) in float level;
layout(location = 0) out vec4 color;

void main() {
    vec4 albedo = texture(material_tex, uv);
    color = vec4(albedo.xyz * level, 1.0);
}
