#version 450

struct Wave {
    vec2 direction;
    float steepness;
    float wavelength;
};

layout(binding = 0, std140) uniform Frame {
    mat4 view_proj;
    vec3 eye;
    float time;
} frame;

layout(binding = 1, std140) uniform Water {
    Wave waves[4];
    vec3 deep;
    vec3 shallow;
} water;

layout(binding = 2) uniform samplerCube sky;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 color;

void main() {
    vec3 normal_1 = normalize(normal);
    vec3 view = normalize(frame.eye - world);
    float facing = clamp(dot(normal_1, view), 0.0, 1.0);
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    vec3 mirrored = texture(sky, reflect(-view, normal_1)).xyz;
    vec3 body = mix(water.shallow, water.deep, facing);
    color = vec4(mix(body, mirrored, fresnel), 1.0);
}
