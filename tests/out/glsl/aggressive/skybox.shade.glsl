#version 450

layout(binding = 0, std140) uniform Camera {
    mat4 inverse_view_proj;
    vec3 fog;
    float density;
} camera;

layout(binding = 1) uniform samplerCube sky;

layout(location = 0) in vec3 direction;
layout(location = 0) out vec4 color;

void main() {
    vec3 direction_1 = normalize(direction);
    float fog = exp(-camera.density * max(direction_1.y, 0.0));
    color = vec4(mix(texture(sky, direction_1).xyz, camera.fog, fog), 1.0);
}
