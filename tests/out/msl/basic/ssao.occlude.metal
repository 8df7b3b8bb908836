#include <metal_stdlib>

using namespace metal;

struct View {
    float4x4 projection;
    float4x4 inverse_projection;
    float4 kernel_1[16];
    float2 noise_scale;
    float radius;
    float bias_1;
};

struct OccludeInput {
    float2 uv [[user(locn0)]];
};

static float3 view_position(float2 uv, constant View& view, texture2d<float> depths_tex,
    sampler depths_samp) {
    float depth = depths_tex.sample(depths_samp, uv, level(0.0)).x;
    float4 p = view.inverse_projection * float4(uv * 2.0 - 1.0, depth, 1.0);
    return p.xyz / p.w;
}

fragment float occlude(
    OccludeInput in [[stage_in]],
    constant View& view [[buffer(0)]],
    texture2d<float> depths_tex [[texture(0)]],
    sampler depths_samp [[sampler(0)]],
    texture2d<float> normals_tex [[texture(1)]],
    sampler normals_samp [[sampler(1)]],
    texture2d<float> noise_tex [[texture(2)]],
    sampler noise_samp [[sampler(2)]]
) {
    float3 origin = view_position(in.uv, view, depths_tex, depths_samp);
    float3 normal = normalize(normals_tex.sample(normals_samp, in.uv).xyz * 2.0 - 1.0);
    float3 random = noise_tex.sample(noise_samp, in.uv * view.noise_scale).xyz * 2.0 - 1.0;
    float3 tangent = normalize(random - normal * dot(random, normal));
    float3x3 basis = float3x3(tangent, cross(normal, tangent), normal);
    float occlusion = 0.0;
    for (int i = 0; i < 16; i++) {
        float3 p = origin + basis * view.kernel_1[i].xyz * view.radius;
        float4 clip = view.projection * float4(p, 1.0);
        float found = view_position(clip.xy / clip.w * 0.5 + 0.5, view, depths_tex, depths_samp).z;
        if (found >= p.z + view.bias_1) {
            float near = smoothstep(0.0, 1.0, view.radius / max(abs(origin.z - found), 0.0001));
            occlusion += near;
        }
    }
    return 1.0 - occlusion * 0.0625;
}
