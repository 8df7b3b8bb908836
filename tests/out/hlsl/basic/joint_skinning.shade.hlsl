// dxc -T ps_6_2 -E shade -HV 2021

struct FragmentOutput {
    float4 world : SV_Target0;
    float4 normal : SV_Target1;
};

FragmentOutput shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1) {
    FragmentOutput output;
    output.world = float4(world, 1.0);
    output.normal = float4(normalize(normal), 0.0);
    return output;
}
