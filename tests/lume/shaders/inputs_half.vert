#version 460 core
//! Formats of halves.
//= vulkan 1.1
//= input 0 76
//= input 1 83
//= input 2 90
//= input 3 97

#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(location = 0) in float16_t a;
layout(location = 1) in f16vec2 b;
layout(location = 2) in f16vec3 c;
layout(location = 3) in f16vec4 d;
void main() { gl_Position = vec4(d); }
