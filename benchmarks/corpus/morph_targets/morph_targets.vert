#version 450
// Morph targets: every target adds its offsets, as much as its weight says.

const int TARGETS = 8;

struct Offset {
    vec3 position;
    vec3 normal;
};

layout(set = 0, binding = 0, std140) uniform Morph {
    mat4 view_proj;
    float weights[TARGETS];
    int vertices;
} morph;

layout(set = 0, binding = 1, std430) readonly buffer Offsets { Offset offsets[]; };

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;

layout(location = 0) out vec3 out_normal;

void main() {
    vec3 p = position;
    vec3 n = normal;
    for (int i = 0; i < TARGETS; i++) {
        float weight = morph.weights[i];
        if (weight != 0.0) {
            Offset offset = offsets[i * morph.vertices + gl_VertexIndex];
            p += weight * offset.position;
            n += weight * offset.normal;
        }
    }
    gl_Position = morph.view_proj * vec4(p, 1.0);
    out_normal = normalize(n);
}
