#version 460 core
//! The size of the workgroup.
//= local 4 3 2

layout(local_size_x = 4, local_size_y = 3, local_size_z = 2) in;
void main() {}
