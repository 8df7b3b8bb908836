#version 450
// A triangle behind everything, with the direction that each corner is seen in.

layout(set = 0, binding = 0, std140) uniform Camera {
    mat4 inverse_view_proj;
    vec3 fog;
    float density;
} camera;

layout(location = 0) out vec3 direction;

void main() {
    vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2) * 2.0 - 1.0;
    vec4 far = camera.inverse_view_proj * vec4(corner, 1.0, 1.0);
    gl_Position = vec4(corner, 1.0, 1.0);
    direction = far.xyz / far.w;
}
