// dxc -T ps_6_2 -E shade -HV 2021

struct Camera {
    row_major float4x4 inverse_view_proj;
    float3 fog;
    float density;
};

ConstantBuffer<Camera> camera : register(b0);

TextureCube sky_tex : register(t1);
SamplerState sky_samp : register(s2);

float4 shade(float3 direction : TEXCOORD0) : SV_Target0 {
    float3 direction_1 = normalize(direction);
    float fog = exp(-camera.density * max(direction_1.y, 0.0));
    return float4(lerp(sky_tex.Sample(sky_samp, direction_1).xyz, camera.fog, fog), 1.0);
}
