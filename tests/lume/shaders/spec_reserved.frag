#version 460 core
//! Ids from 256 on are the engine's own.
//= spec 255 2

layout(constant_id = 255) const uint mine = 0u;
layout(constant_id = 256) const uint engine = 0u;
layout(constant_id = 1000) const uint other = 0u;
layout(location = 0) out vec4 color;
void main() { color = vec4(float(mine + engine + other)); }
