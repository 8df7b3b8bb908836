// dxc -T ps_6_2 -E shade -HV 2021

float4 shade(float2 uv : TEXCOORD0, float3 normal : TEXCOORD1,
    nointerpolation uint face : TEXCOORD2) : SV_Target0 {
    float facing = normalize(normal).z;
    return float4(uv, facing, float(face));
}
