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

layout(location = 0) in vec2 place;
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;

void main() {
    vec3 world_1 = vec3(place.x, 0.0, place.y);
    vec3 tangent = vec3(1.0, 0.0, 0.0);
    vec3 bitangent = vec3(0.0, 0.0, 1.0);
    for (int i = 0; i < 4; i++) {
        vec2 d = normalize(water.waves[i].direction);
        float k = 6.2831855 / water.waves[i].wavelength;
        float phase = k * (dot(d, place) - sqrt(water.waves[i].wavelength * 1.56131) * frame.time);
        float c = water.waves[i].steepness * cos(phase);
        float d_x_times_c = d.x * c;
        float s = water.waves[i].steepness * sin(phase);
        float d_y_times_c = d.y * c;
        world_1 += vec3(d_x_times_c, s, d_y_times_c) * (water.waves[i].wavelength * 0.15915494);
        float minus_d_x = -d.x;
        float product = minus_d_x * d.y * s;
        tangent += vec3(minus_d_x * d.x * s, d_x_times_c, product);
        bitangent += vec3(product, d_y_times_c, -d.y * d.y * s);
    }
    gl_Position = frame.view_proj * vec4(world_1, 1.0);
    world = world_1;
    normal = normalize(cross(bitangent, tangent));
}
