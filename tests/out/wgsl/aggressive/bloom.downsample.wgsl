struct Bloom {
    texel: vec2<f32>,
    threshold: f32,
    knee: f32,
    strength: f32,
}

@group(0) @binding(0) var<uniform> bloom: Bloom;
@group(0) @binding(1) var source_tex: texture_2d<f32>;
@group(0) @binding(2) var source_samp: sampler;

@fragment
fn downsample(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let source_texel = textureSampleLevel(source_tex, source_samp,
        uv + vec2<f32>(0.0, -2.0) * bloom.texel, 0.0).xyz;
    let source_texel_1 = textureSampleLevel(source_tex, source_samp,
        uv + vec2<f32>(-2.0, 0.0) * bloom.texel, 0.0).xyz;
    let source_texel_2 = textureSampleLevel(source_tex, source_samp, uv, 0.0).xyz;
    let source_texel_3 = textureSampleLevel(source_tex, source_samp,
        uv + vec2<f32>(2.0, 0.0) * bloom.texel, 0.0).xyz;
    let source_texel_4 = textureSampleLevel(source_tex, source_samp,
        uv + vec2<f32>(0.0, 2.0) * bloom.texel, 0.0).xyz;
    let sum = textureSampleLevel(source_tex, source_samp, uv - 2.0 * bloom.texel, 0.0).xyz
        + source_texel + source_texel_1 + source_texel_2
        + (source_texel
            + textureSampleLevel(source_tex, source_samp, uv + vec2<f32>(2.0, -2.0) * bloom.texel,
                0.0).xyz + source_texel_2 + source_texel_3);
    let corners = 0.25
        * (sum + (source_texel_1 + source_texel_2
            + textureSampleLevel(source_tex, source_samp, uv + vec2<f32>(-2.0, 2.0) * bloom.texel,
                0.0).xyz + source_texel_4
            + (source_texel_2 + source_texel_3 + source_texel_4
                + textureSampleLevel(source_tex, source_samp, uv + 2.0 * bloom.texel, 0.0).xyz)));
    return vec4<f32>(0.125
        * (textureSampleLevel(source_tex, source_samp, uv - bloom.texel, 0.0).xyz
            + textureSampleLevel(source_tex, source_samp, uv + vec2<f32>(1.0, -1.0) * bloom.texel,
                0.0).xyz + textureSampleLevel(source_tex, source_samp,
                    uv + vec2<f32>(-1.0, 1.0) * bloom.texel, 0.0).xyz
            + textureSampleLevel(source_tex, source_samp, uv + bloom.texel, 0.0).xyz + corners),
        1.0);
}
