// dxc -T ps_6_2 -E shade -HV 2021

struct FragmentOutput {
    float4 color : SV_Target0;
    int2 layers : SV_Target2;
};

FragmentOutput shade(float2 uv : TEXCOORD0, float4 tint : TEXCOORD1,
    nointerpolation int layer : TEXCOORD5, float weight : TEXCOORD6) {
    FragmentOutput output;
    output.color = float4(uv, weight, tint.y);
    output.layers = int2(layer, -3);
    return output;
}
