// dxc -T ps_6_2 -E shade -HV 2021

struct Frame {
    row_major float4x4 view_proj;
    float3 eye;
    float time;
};

struct Wave {
    float2 direction;
    float steepness;
    float wavelength;
};

struct Water {
    Wave waves[4];
    float3 deep;
    float3 shallow;
};

ConstantBuffer<Frame> frame : register(b0);

ConstantBuffer<Water> water : register(b1);

TextureCube sky_tex : register(t2);
SamplerState sky_samp : register(s3);

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1) : SV_Target0 {
    float3 normal_1 = normalize(normal);
    float3 view = normalize(frame.eye - world);
    float facing = saturate(dot(normal_1, view));
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    float3 mirrored = sky_tex.Sample(sky_samp, reflect(-view, normal_1)).xyz;
    float3 body = lerp(water.shallow, water.deep, facing);
    return float4(lerp(body, mirrored, fresnel), 1.0);
}
