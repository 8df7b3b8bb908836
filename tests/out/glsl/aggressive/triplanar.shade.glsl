#version 450

layout(set = 0, binding = 0, std140) uniform Material {
    float scale;
    float sharpness;
    vec3 to_light;
} material;

layout(set = 0, binding = 1) uniform sampler2D albedo;
layout(set = 0, binding = 3) uniform sampler2D bumps;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 n = normalize(normal);
    vec3 p = world * material.scale;
    vec3 blend = pow(abs(n), vec3(material.sharpness));
    blend *= 1.0 / (blend.x + blend.y + blend.z);
    vec3 color = texture(albedo, p.zy).xyz * blend.x;
    color += texture(albedo, p.xz).xyz * blend.y;
    color += texture(albedo, p.xy).xyz * blend.z;
    vec3 difference = texture(bumps, p.zy).xyz * 2.0 - 1.0;
    vec3 difference_1 = texture(bumps, p.xz).xyz * 2.0 - 1.0;
    vec3 difference_2 = texture(bumps, p.xy).xyz * 2.0 - 1.0;
    vec3 x = vec3(difference.xy + n.zy, abs(difference.z) * n.x);
    vec3 y = vec3(difference_1.xy + n.xz, abs(difference_1.z) * n.y);
    vec3 z = vec3(difference_2.xy + n.xy, abs(difference_2.z) * n.z);
    vec3 sum = x.zyx * blend.x + y.xzy * blend.y + z * blend.z;
    float light = 0.1 + 0.9 * max(dot(sum, material.to_light) * inversesqrt(dot(sum, sum)), 0.0);
    out_color = vec4(color * light, 1.0);
}
