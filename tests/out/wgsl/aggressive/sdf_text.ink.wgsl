struct Style {
    outline: vec4<f32>,
    outline_width: f32,
    range: f32,
}

@group(0) @binding(0) var<uniform> style: Style;
@group(0) @binding(1) var atlas_tex: texture_2d<f32>;
@group(0) @binding(2) var atlas_samp: sampler;

@fragment
fn ink(@location(0) uv: vec2<f32>, @location(1) color: vec4<f32>) -> @location(0) vec4<f32> {
    let texels = vec2<f32>(textureDimensions(atlas_tex, 0)) * fwidth(uv);
    let sharpness = style.range / max(0.5 * (texels.x + texels.y), 0.0001);
    let atlas_texel = textureSample(atlas_tex, atlas_samp, uv);
    let edge = max(min(atlas_texel.x, atlas_texel.y),
        min(max(atlas_texel.x, atlas_texel.y), atlas_texel.z)) - 0.5;
    let outlined = saturate((edge + style.outline_width) * sharpness + 0.5);
    if (outlined <= 0.0) {
        discard;
    }
    let inside = saturate(edge * sharpness + 0.5);
    let color_1 = mix(style.outline, color, inside);
    return vec4<f32>(color_1.xyz, color_1.w * outlined);
}
