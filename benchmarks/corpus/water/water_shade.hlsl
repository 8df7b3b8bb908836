// dxc -T ps_6_2 -E shade -HV 2021
// A water surface: the sky mirrors in it by Fresnel's law.

static const int WAVES = 4;

struct Wave {
    float2 direction;
    float steepness;
    float wavelength;
};

struct Frame {
    float4x4 view_proj;
    float3 eye;
    float time;
};

struct Water {
    Wave waves[WAVES];
    float3 deep;
    float3 shallow;
};

ConstantBuffer<Frame> frame : register(b0, space0);
ConstantBuffer<Water> water : register(b1, space0);

TextureCube sky : register(t2, space0);
SamplerState sky_samp : register(s3, space0);

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1) : SV_Target0 {
    float3 n = normalize(normal);
    float3 view = normalize(frame.eye - world);
    float facing = saturate(dot(n, view));
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    float3 mirrored = sky.Sample(sky_samp, reflect(-view, n)).rgb;
    float3 body = lerp(water.shallow, water.deep, facing);
    return float4(lerp(body, mirrored, fresnel), 1.0);
}
