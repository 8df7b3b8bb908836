#version 450

struct Offset {
    vec3 position;
    vec3 normal;
};

layout(binding = 0, std140) uniform Morph {
    mat4 view_proj;
    float weights[8];
    int vertices;
} morph;

layout(binding = 1, std430) readonly buffer Offsets {
    Offset offsets[];
};

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 0) out vec3 normal;

void main() {
    vec3 position = in_position;
    vec3 normal_1 = in_normal;
    for (int i = 0; i < 8; i++) {
        float weight = morph.weights[i];
        if (weight != 0.0) {
            Offset offset = offsets[i * morph.vertices + gl_VertexIndex];
            position += weight * offset.position;
            normal_1 += weight * offset.normal;
        }
    }
    gl_Position = morph.view_proj * vec4(position, 1.0);
    normal = normalize(normal_1);
}
