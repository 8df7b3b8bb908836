#version 450
// A water surface: four Gerstner waves move the grid.

const int WAVES = 4;
const float GRAVITY = 9.81;

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

layout(location = 0) in vec2 place;

layout(location = 0) out vec3 out_world;
layout(location = 1) out vec3 out_normal;

void main() {
    vec3 world = vec3(place.x, 0.0, place.y);
    vec3 tangent = vec3(1.0, 0.0, 0.0);
    vec3 bitangent = vec3(0.0, 0.0, 1.0);
    for (int i = 0; i < WAVES; i++) {
        Wave wave = water.waves[i];
        float k = 6.28318531 / wave.wavelength;
        vec2 d = normalize(wave.direction);
        float phase = k * (dot(d, place) - sqrt(GRAVITY / k) * frame.time);
        float s = wave.steepness * sin(phase);
        float c = wave.steepness * cos(phase);
        world += vec3(d.x * c, s, d.y * c) / k;
        tangent += vec3(-d.x * d.x * s, d.x * c, -d.x * d.y * s);
        bitangent += vec3(-d.x * d.y * s, d.y * c, -d.y * d.y * s);
    }
    gl_Position = frame.view_proj * vec4(world, 1.0);
    out_world = world;
    out_normal = normalize(cross(bitangent, tangent));
}
