#version 460 core
//! The smallest file: 25 bytes, four sections of nothing but counts.

void main() {}
