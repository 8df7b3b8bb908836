// dxc -T ps_6_2 -E occlude -HV 2021

struct View {
    row_major float4x4 projection;
    row_major float4x4 inverse_projection;
    float4 kernel[16];
    float2 noise_scale;
    float radius;
    float bias;
};

ConstantBuffer<View> view : register(b0);

Texture2D depths_tex : register(t1);
SamplerState depths_samp : register(s2);
Texture2D normals_tex : register(t3);
SamplerState normals_samp : register(s4);
Texture2D noise_tex : register(t5);
SamplerState noise_samp : register(s6);

float3 view_position(float2 uv) {
    float depth = depths_tex.SampleLevel(depths_samp, uv, 0.0).x;
    float4 p = mul(float4(uv * 2.0 - 1.0, depth, 1.0), view.inverse_projection);
    return p.xyz * (1.0 / p.w);
}

float occlude(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 origin = view_position(uv);
    float3 normal = normalize(normals_tex.Sample(normals_samp, uv).xyz * 2.0 - 1.0);
    float3 random = noise_tex.Sample(noise_samp, uv * view.noise_scale).xyz * 2.0 - 1.0;
    float3 tangent = normalize(random - normal * dot(random, normal));
    float3x3 basis = float3x3(tangent, cross(normal, tangent), normal);
    float occlusion = 0.0;
    for (int i = 0; i < 16; i++) {
        float3 p = origin + mul(view.kernel[i].xyz, basis) * view.radius;
        float4 clip = mul(float4(p, 1.0), view.projection);
        float found = view_position(clip.xy * (0.5 / clip.w) + 0.5).z;
        float near = smoothstep(0.0, 1.0, view.radius / max(abs(origin.z - found), 0.0001));
        occlusion = found >= p.z + view.bias ? occlusion + near : occlusion;
    }
    return 1.0 - occlusion * 0.0625;
}
