#version 460 core
//! Ascending by location; builtin ones are left out, and so are outputs.
//= input 1 106
//= input 3 103
//= input 8 109

layout(location = 8) in vec4 a;
layout(location = 1) in vec3 b;
layout(location = 3) in vec2 c;
layout(location = 0) out vec2 uv;
void main() {
    uv = c + vec2(float(gl_VertexIndex), float(gl_InstanceIndex));
    gl_Position = a + vec4(b, 1.0);
}
