#version 460 core
//! Dimensions of combined samplers, and whether they are of depth, arrays or multisampled.
//= set 0
//= binding 0 1 1 0 8
//= binding 1 1 1 1 8
//= binding 2 1 1 2 8
//= binding 3 1 1 3 8
//= binding 4 1 1 1 10
//= binding 5 1 1 3 10
//= binding 6 1 1 1 9
//= binding 7 1 1 3 9
//= binding 8 1 1 1 11
//= binding 9 1 1 1 12
//= binding 10 1 1 1 14

layout(set = 0, binding = 0) uniform sampler1D a;
layout(set = 0, binding = 1) uniform sampler2D b;
layout(set = 0, binding = 2) uniform sampler3D c;
layout(set = 0, binding = 3) uniform samplerCube d;
layout(set = 0, binding = 4) uniform sampler2DArray e;
layout(set = 0, binding = 5) uniform samplerCubeArray f;
layout(set = 0, binding = 6) uniform sampler2DShadow g;
layout(set = 0, binding = 7) uniform samplerCubeShadow h;
layout(set = 0, binding = 8) uniform sampler2DArrayShadow i;
layout(set = 0, binding = 9) uniform sampler2DMS j;
layout(set = 0, binding = 10) uniform sampler2DMSArray k;
void main() {}
