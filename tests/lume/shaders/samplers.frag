#version 460 core
//! Separate samplers and images; a sampler tells nothing of images.
//= set 0
//= binding 0 0 1 0 0
//= binding 1 0 1 0 0
//= binding 2 2 1 1 8
//= binding 3 2 1 3 8

layout(set = 0, binding = 0) uniform sampler s;
layout(set = 0, binding = 1) uniform samplerShadow compare;
layout(set = 0, binding = 2) uniform texture2D flat2d;
layout(set = 0, binding = 3) uniform textureCube cube;
layout(location = 0) out vec4 color;
void main() {
    color = texture(sampler2D(flat2d, s), vec2(0.5)) + texture(samplerCube(cube, s), vec3(1.0));
}
