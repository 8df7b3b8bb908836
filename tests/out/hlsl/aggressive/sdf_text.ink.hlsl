// dxc -T ps_6_2 -E ink -HV 2021

struct Style {
    float4 outline;
    float outline_width;
    float range;
};

ConstantBuffer<Style> style : register(b0);

Texture2D atlas_tex : register(t1);
SamplerState atlas_samp : register(s2);

int2 texture_size(Texture2D image, int level) {
    uint width, height, levels;
    image.GetDimensions(level, width, height, levels);
    return int2(width, height);
}

float4 ink(float2 uv : TEXCOORD0, float4 color : TEXCOORD1) : SV_Target0 {
    float2 texels = float2(texture_size(atlas_tex, 0)) * fwidth(uv);
    float sharpness = style.range / max(0.5 * (texels.x + texels.y), 0.0001);
    float4 atlas_texel = atlas_tex.Sample(atlas_samp, uv);
    float edge = max(min(atlas_texel.x, atlas_texel.y),
        min(max(atlas_texel.x, atlas_texel.y), atlas_texel.z)) - 0.5;
    float outlined = saturate((edge + style.outline_width) * sharpness + 0.5);
    if (outlined <= 0.0) {
        discard;
    }
    float inside = saturate(edge * sharpness + 0.5);
    float4 color_1 = lerp(style.outline, color, inside);
    return float4(color_1.xyz, color_1.w * outlined);
}
