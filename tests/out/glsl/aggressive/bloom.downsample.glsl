#version 450

layout(set = 0, binding = 0, std140) uniform Bloom {
    vec2 texel;
    float threshold;
    float knee;
    float strength;
} bloom;

layout(set = 0, binding = 1) uniform sampler2D source;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec3 source_texel = textureLod(source, uv + vec2(0.0, -2.0) * bloom.texel, 0.0).xyz;
    vec3 source_texel_1 = textureLod(source, uv + vec2(-2.0, 0.0) * bloom.texel, 0.0).xyz;
    vec3 source_texel_2 = textureLod(source, uv, 0.0).xyz;
    vec3 source_texel_3 = textureLod(source, uv + vec2(2.0, 0.0) * bloom.texel, 0.0).xyz;
    vec3 source_texel_4 = textureLod(source, uv + vec2(0.0, 2.0) * bloom.texel, 0.0).xyz;
    vec3 sum = textureLod(source, uv - 2.0 * bloom.texel, 0.0).xyz + source_texel + source_texel_1
        + source_texel_2
        + (source_texel + textureLod(source, uv + vec2(2.0, -2.0) * bloom.texel, 0.0).xyz
            + source_texel_2 + source_texel_3);
    vec3 corners = 0.25
        * (sum + (source_texel_1 + source_texel_2
            + textureLod(source, uv + vec2(-2.0, 2.0) * bloom.texel, 0.0).xyz + source_texel_4
            + (source_texel_2 + source_texel_3 + source_texel_4
                + textureLod(source, uv + 2.0 * bloom.texel, 0.0).xyz)));
    color = vec4(0.125
        * (textureLod(source, uv - bloom.texel, 0.0).xyz
            + textureLod(source, uv + vec2(1.0, -1.0) * bloom.texel, 0.0).xyz
            + textureLod(source, uv + vec2(-1.0, 1.0) * bloom.texel, 0.0).xyz
            + textureLod(source, uv + bloom.texel, 0.0).xyz + corners), 1.0);
}
