#version 450

layout(binding = 0, std140) uniform View {
    mat4 projection;
    mat4 inverse_projection;
    vec4 kernel[16];
    vec2 noise_scale;
    float radius;
    float bias;
} view;

layout(binding = 1) uniform sampler2D depths;
layout(binding = 3) uniform sampler2D normals;
layout(binding = 5) uniform sampler2D noise;

layout(location = 0) in vec2 uv;
layout(location = 0) out float light;

vec3 view_position(vec2 uv) {
    float depth = textureLod(depths, uv, 0.0).x;
    vec4 p = view.inverse_projection * vec4(uv * 2.0 - 1.0, depth, 1.0);
    return p.xyz / p.w;
}

void main() {
    vec3 origin = view_position(uv);
    vec3 normal = normalize(texture(normals, uv).xyz * 2.0 - 1.0);
    vec3 random = texture(noise, uv * view.noise_scale).xyz * 2.0 - 1.0;
    vec3 tangent = normalize(random - normal * dot(random, normal));
    mat3 basis = mat3(tangent, cross(normal, tangent), normal);
    float occlusion = 0.0;
    for (int i = 0; i < 16; i++) {
        vec3 p = origin + basis * view.kernel[i].xyz * view.radius;
        vec4 clip = view.projection * vec4(p, 1.0);
        float found = view_position(clip.xy / clip.w * 0.5 + 0.5).z;
        if (found >= p.z + view.bias) {
            float near = smoothstep(0.0, 1.0, view.radius / max(abs(origin.z - found), 0.0001));
            occlusion += near;
        }
    }
    light = 1.0 - occlusion * 0.0625;
}
