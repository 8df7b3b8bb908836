// dxc -T ps_6_2 -E shade -HV 2021

float4 shade(float3 normal : TEXCOORD0) : SV_Target0 {
    return float4(normalize(normal) * 0.5 + 0.5, 1.0);
}
