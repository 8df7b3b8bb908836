#version 460 core
//! A size that is specialized has the default; the constants are listed.
//= spec 4 2
//= spec 1 2
//= local 16 2 5

layout(local_size_x_id = 4, local_size_y = 2, local_size_z_id = 1) in;
layout(local_size_x = 16, local_size_z = 5) in;
void main() {}
