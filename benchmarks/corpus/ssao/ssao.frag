#version 450
// Screen-space ambient occlusion: a hemisphere of samples round the normal, turned by noise.

const int SAMPLES = 16;

layout(set = 0, binding = 0, std140) uniform View {
    mat4 projection;
    mat4 inverse_projection;
    vec4 kernel[SAMPLES];
    vec2 noise_scale;
    float radius;
    float bias;
} view;

layout(set = 0, binding = 1) uniform texture2D depths;
layout(set = 0, binding = 2) uniform sampler depths_samp;
layout(set = 0, binding = 3) uniform texture2D normals;
layout(set = 0, binding = 4) uniform sampler normals_samp;
layout(set = 0, binding = 5) uniform texture2D noise;
layout(set = 0, binding = 6) uniform sampler noise_samp;

layout(location = 0) in vec2 uv;
layout(location = 0) out float light;

vec3 view_position(vec2 uv) {
    float depth = textureLod(sampler2D(depths, depths_samp), uv, 0.0).r;
    vec4 p = view.inverse_projection * vec4(uv * 2.0 - 1.0, depth, 1.0);
    return p.xyz / p.w;
}

void main() {
    vec3 origin = view_position(uv);
    vec3 normal = normalize(texture(sampler2D(normals, normals_samp), uv).xyz * 2.0 - 1.0);
    vec3 random = texture(sampler2D(noise, noise_samp), uv * view.noise_scale).xyz * 2.0 - 1.0;
    vec3 tangent = normalize(random - normal * dot(random, normal));
    mat3 basis = mat3(tangent, cross(normal, tangent), normal);

    float occlusion = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        vec3 p = origin + basis * view.kernel[i].xyz * view.radius;
        vec4 clip = view.projection * vec4(p, 1.0);
        float found = view_position(clip.xy / clip.w * 0.5 + 0.5).z;
        float near = smoothstep(0.0, 1.0, view.radius / max(abs(origin.z - found), 0.0001));
        if (found >= p.z + view.bias) {
            occlusion += near;
        }
    }
    light = 1.0 - occlusion / float(SAMPLES);
}
