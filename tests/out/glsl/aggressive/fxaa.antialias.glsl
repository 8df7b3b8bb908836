#version 450

layout(binding = 0, std140) uniform Image {
    vec2 texel;
} image;

layout(binding = 1) uniform sampler2D scene;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec3 center = textureLod(scene, uv, 0.0).xyz;
    vec3 factors = vec3(0.2126, 0.7152, 0.0722);
    float nw = dot(textureLod(scene, uv - image.texel, 0.0).xyz, factors);
    float ne = dot(textureLod(scene, uv + vec2(1.0, -1.0) * image.texel, 0.0).xyz, factors);
    float sw = dot(textureLod(scene, uv + vec2(-1.0, 1.0) * image.texel, 0.0).xyz, factors);
    float se = dot(textureLod(scene, uv + image.texel, 0.0).xyz, factors);
    float middle = dot(center, factors);
    float low = min(middle, min(min(nw, ne), min(sw, se)));
    float high = max(middle, max(max(nw, ne), max(sw, se)));
    float nw_plus_ne = nw + ne;
    float difference = sw + se - nw_plus_ne;
    float difference_1 = nw + sw - (ne + se);
    vec2 along = vec2(difference, difference_1);
    float reduce = max((nw_plus_ne + sw + se) * 0.03125, 0.0078125);
    float shortest = min(abs(difference), abs(difference_1)) + reduce;
    vec2 step_ = clamp(along * (1.0 / shortest), -8.0, 8.0) * image.texel;
    vec2 product = step_ * 0.16666667;
    vec3 sum = textureLod(scene, uv - product, 0.0).xyz + textureLod(scene, uv + product, 0.0).xyz;
    vec2 half_step = step_ * 0.5;
    vec3 outer = 0.25
        * (sum + (textureLod(scene, uv - half_step, 0.0).xyz
            + textureLod(scene, uv + half_step, 0.0).xyz));
    float brightness = dot(outer, factors);
    if (brightness < low || brightness > high) {
        vec3 inner = 0.5 * sum;
        color = vec4(inner, 1.0);
        return;
    }
    color = vec4(outer, 1.0);
}
