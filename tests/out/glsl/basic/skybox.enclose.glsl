#version 450

layout(binding = 0, std140) uniform Camera {
    mat4 inverse_view_proj;
    vec3 fog;
    float density;
} camera;

layout(location = 0) out vec3 direction;

void main() {
    vec2 corner = vec2(float((gl_VertexIndex << 1) & 2), float(gl_VertexIndex & 2)) * 2.0 - 1.0;
    vec4 value = vec4(corner, 1.0, 1.0);
    vec4 far = camera.inverse_view_proj * value;
    gl_Position = value;
    direction = far.xyz / far.w;
}
