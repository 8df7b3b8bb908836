#version 460 core
//! SPIR-V 1.6 tells such a size by ids; glslang makes two constants of one id then, both listed.
//= vulkan 1.3
//= spec 4 2
//= spec 4 2
//= local 16 1 1

layout(local_size_x = 16, local_size_x_id = 4) in;
void main() {}
