#version 450
// A water surface: the sky mirrors in it by Fresnel's law.

const int WAVES = 4;

struct Wave {
    vec2 direction;
    float steepness;
    float wavelength;
};

layout(set = 0, binding = 0, std140) uniform Frame {
    mat4 view_proj;
    vec3 eye;
    float time;
} frame;

layout(set = 0, binding = 1, std140) uniform Water {
    Wave waves[WAVES];
    vec3 deep;
    vec3 shallow;
} water;

layout(set = 0, binding = 2) uniform textureCube sky;
layout(set = 0, binding = 3) uniform sampler sky_samp;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;

layout(location = 0) out vec4 color;

void main() {
    vec3 n = normalize(normal);
    vec3 view = normalize(frame.eye - world);
    float facing = clamp(dot(n, view), 0.0, 1.0);
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    vec3 mirrored = texture(samplerCube(sky, sky_samp), reflect(-view, n)).rgb;
    vec3 body = mix(water.shallow, water.deep, facing);
    color = vec4(mix(body, mirrored, fresnel), 1.0);
}
