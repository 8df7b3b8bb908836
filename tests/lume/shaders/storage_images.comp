#version 460 core
//! Storage images are loaded and stored, not sampled.
//= set 0
//= binding 0 3 1 1 16
//= binding 1 3 1 2 16
//= binding 2 3 1 1 18
//= binding 3 3 1 3 16
//= local 8 8 1

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba16f) uniform writeonly image2D a;
layout(set = 0, binding = 1, rgba8) uniform image3D b;
layout(set = 0, binding = 2, r32f) uniform readonly image2DArray c;
layout(set = 0, binding = 3, rgba8) uniform imageCube d;
void main() { imageStore(a, ivec2(0), imageLoad(c, ivec3(0))); }
