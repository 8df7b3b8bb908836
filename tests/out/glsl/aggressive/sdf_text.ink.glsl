#version 450

layout(binding = 0, std140) uniform Style {
    vec4 outline;
    float outline_width;
    float range;
} style;

layout(binding = 1) uniform sampler2D atlas;

layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 out_color;

void main() {
    vec2 texels = vec2(textureSize(atlas, 0)) * fwidth(uv);
    float sharpness = style.range / max(0.5 * (texels.x + texels.y), 0.0001);
    vec4 atlas_texel = texture(atlas, uv);
    float edge = max(min(atlas_texel.x, atlas_texel.y),
        min(max(atlas_texel.x, atlas_texel.y), atlas_texel.z)) - 0.5;
    float outlined = clamp((edge + style.outline_width) * sharpness + 0.5, 0.0, 1.0);
    if (outlined <= 0.0) {
        discard;
    }
    float inside = clamp(edge * sharpness + 0.5, 0.0, 1.0);
    vec4 color_1 = mix(style.outline, color, inside);
    out_color = vec4(color_1.xyz, color_1.w * outlined);
}
