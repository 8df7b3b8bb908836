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

struct OccludeOutput {
    float light [[color(0)]];
};

fragment OccludeOutput occlude(
    OccludeInput in [[stage_in]],
    constant View& view [[buffer(0)]],
    texture2d<float> depths_tex [[texture(0)]],
    sampler depths_samp [[sampler(0)]],
    texture2d<float> normals_tex [[texture(1)]],
    sampler normals_samp [[sampler(1)]],
    texture2d<float> noise_tex [[texture(2)]],
    sampler noise_samp [[sampler(2)]]
) {
    float depth = depths_tex.sample(depths_samp, in.uv, level(0.0)).x;
    float4 p = view.inverse_projection * float4(in.uv * 2.0 - 1.0, depth, 1.0);
    float3 p_times_inverse_p_w = p.xyz * (1.0 / p.w);
    float3 normal = normalize(normals_tex.sample(normals_samp, in.uv).xyz * 2.0 - 1.0);
    float3 random = noise_tex.sample(noise_samp, in.uv * view.noise_scale).xyz * 2.0 - 1.0;
    float3 tangent = normalize(random - normal * dot(random, normal));
    float3x3 basis = float3x3(tangent, cross(normal, tangent), normal);
    float occlusion = 0.0;
    for (int i = 0; i < 16; i++) {
        float3 p_1 = p_times_inverse_p_w + basis * view.kernel_1[i].xyz * view.radius;
        float4 clip = view.projection * float4(p_1, 1.0);
        float2 sum = clip.xy * (0.5 / clip.w) + 0.5;
        float depth_1 = depths_tex.sample(depths_samp, sum, level(0.0)).x;
        float4 p_2 = view.inverse_projection * float4(sum * 2.0 - 1.0, depth_1, 1.0);
        float found = p_2.z / p_2.w;
        float near = smoothstep(0.0, 1.0,
            view.radius / max(abs(p_times_inverse_p_w.z - found), 0.0001));
        occlusion = found >= p_1.z + view.bias_1 ? occlusion + near : occlusion;
    }
    return {1.0 - occlusion * 0.0625};
}
