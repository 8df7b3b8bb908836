#version 450
// Text from a multi-channel signed distance field: sharp at every size, with an outline.

layout(set = 0, binding = 0, std140) uniform Style {
    vec4 outline;
    float outline_width;
    float range;
} style;

layout(set = 0, binding = 1) uniform texture2D atlas;
layout(set = 0, binding = 2) uniform sampler atlas_samp;

layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 ink;

layout(location = 0) out vec4 color;

float median(vec3 v) {
    return max(min(v.r, v.g), min(max(v.r, v.g), v.b));
}

void main() {
    vec2 texels = vec2(textureSize(sampler2D(atlas, atlas_samp), 0)) * fwidth(uv);
    float sharpness = style.range / max(0.5 * (texels.x + texels.y), 0.0001);
    float edge = median(texture(sampler2D(atlas, atlas_samp), uv).rgb) - 0.5;
    float inside = clamp(edge * sharpness + 0.5, 0.0, 1.0);
    float outlined = clamp((edge + style.outline_width) * sharpness + 0.5, 0.0, 1.0);
    if (outlined <= 0.0) {
        discard;
    }
    vec4 mixed = mix(style.outline, ink, inside);
    color = vec4(mixed.rgb, mixed.a * outlined);
}
