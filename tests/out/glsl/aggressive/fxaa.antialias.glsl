#version 450

layout(set = 0, binding = 0, std140) uniform Image {
    vec2 texel;
} image;

layout(set = 0, binding = 1) uniform sampler2D scene;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    float dot_product = dot(textureLod(scene, uv - image.texel, 0.0).xyz,
        vec3(0.2126, 0.7152, 0.0722));
    float dot_product_1 = dot(textureLod(scene, uv + vec2(1.0, -1.0) * image.texel, 0.0).xyz,
        vec3(0.2126, 0.7152, 0.0722));
    float dot_product_2 = dot(textureLod(scene, uv + vec2(-1.0, 1.0) * image.texel, 0.0).xyz,
        vec3(0.2126, 0.7152, 0.0722));
    float dot_product_3 = dot(textureLod(scene, uv + image.texel, 0.0).xyz,
        vec3(0.2126, 0.7152, 0.0722));
    float dot_product_4 = dot(textureLod(scene, uv, 0.0).xyz, vec3(0.2126, 0.7152, 0.0722));
    float low = min(dot_product_4,
        min(min(dot_product, dot_product_1), min(dot_product_2, dot_product_3)));
    float high = max(dot_product_4,
        max(max(dot_product, dot_product_1), max(dot_product_2, dot_product_3)));
    float sum = dot_product + dot_product_1;
    float difference = dot_product_2 + dot_product_3 - sum;
    float difference_1 = dot_product + dot_product_2 - (dot_product_1 + dot_product_3);
    vec2 along = vec2(difference, difference_1);
    float reduce = max((sum + dot_product_2 + dot_product_3) * 0.03125, 0.0078125);
    float shortest = min(abs(difference), abs(difference_1)) + reduce;
    vec2 step_ = clamp(along * (1.0 / shortest), -8.0, 8.0) * image.texel;
    vec2 product = step_ * 0.16666667;
    vec3 sum_1 = textureLod(scene, uv - product, 0.0).xyz
        + textureLod(scene, uv + product, 0.0).xyz;
    vec2 half_step = step_ * 0.5;
    vec3 outer = 0.25
        * (sum_1 + (textureLod(scene, uv - half_step, 0.0).xyz
            + textureLod(scene, uv + half_step, 0.0).xyz));
    float dot_product_5 = dot(outer, vec3(0.2126, 0.7152, 0.0722));
    if (dot_product_5 < low || dot_product_5 > high) {
        vec3 inner = 0.5 * sum_1;
        color = vec4(inner, 1.0);
        return;
    }
    color = vec4(outer, 1.0);
}
