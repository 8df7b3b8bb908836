#version 450
// A cube map, fogged towards the horizon.

layout(set = 0, binding = 0, std140) uniform Camera {
    mat4 inverse_view_proj;
    vec3 fog;
    float density;
} camera;

layout(set = 0, binding = 1) uniform textureCube sky;
layout(set = 0, binding = 2) uniform sampler sky_samp;

layout(location = 0) in vec3 seen;
layout(location = 0) out vec4 color;

void main() {
    vec3 direction = normalize(seen);
    float fog = exp(-camera.density * max(direction.y, 0.0));
    color = vec4(mix(texture(samplerCube(sky, sky_samp), direction).rgb, camera.fog, fog), 1.0);
}
