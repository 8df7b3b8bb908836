#version 450
#extension GL_EXT_control_flow_attributes : require

struct Light {
    vec3 direction;
    float intensity;
};

layout(binding = 0, std140) uniform Uniforms {
    vec3 scale;
    vec2 offset;
} uniforms;

layout(set = 1, binding = 0, std430) buffer Lights {
    Light lights[16];
};

layout(binding = 3, std140) uniform Ambient {
    vec3 ambient;
};

layout(binding = 10, std140) uniform Exposure {
    float exposure;
};

layout(binding = 11, std140) uniform Tint {
    vec4 tint;
};

layout(set = 1, binding = 1, std140) uniform LightCount {
    int light_count;
};

layout(binding = 1) uniform sampler2D material_tex;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec4 albedo = texture(material_tex, uv * uniforms.scale.xy + uniforms.offset);
    vec3 total = ambient;
    [[unroll]] for (int i = 0; i < light_count && i < 16; i++) {
        total += max(lights[i].direction.z, 0.0) * lights[i].intensity * vec3(1.0, 0.5, 0.25);
    }
    color = vec4(albedo.xyz * total * exposure, uniforms.scale.z) * tint;
}
