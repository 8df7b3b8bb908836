#version 460 core
//! An array without a size has a count of 0.
//= set 3
//= binding 0 2 0 1 8
//= binding 1 0 1 0 0
//= input 0 98

#extension GL_EXT_nonuniform_qualifier : require
layout(set = 3, binding = 0) uniform texture2D textures[];
layout(set = 3, binding = 1) uniform sampler s;
layout(location = 0) flat in uint index;
layout(location = 0) out vec4 color;
void main() { color = texture(nonuniformEXT(sampler2D(textures[index], s)), vec2(0.5)); }
