#version 460 core
//! A compute shader has a local size, 1 if it says nothing.
//= local 1 1 1

void main() {}
