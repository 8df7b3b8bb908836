#version 450

layout(binding = 0, std140) uniform Material {
    float scale;
    float sharpness;
    vec3 to_light;
} material;

layout(binding = 1) uniform sampler2D albedo;
layout(binding = 3) uniform sampler2D bumps;

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
    vec3 x = texture(bumps, p.zy).xyz * 2.0 - 1.0;
    vec3 y = texture(bumps, p.xz).xyz * 2.0 - 1.0;
    vec3 z = texture(bumps, p.xy).xyz * 2.0 - 1.0;
    x = vec3(x.xy + n.zy, abs(x.z) * n.x);
    y = vec3(y.xy + n.xz, abs(y.z) * n.y);
    z = vec3(z.xy + n.xy, abs(z.z) * n.z);
    vec3 sum = x.zyx * blend.x + y.xzy * blend.y + z * blend.z;
    float light = 0.1 + 0.9 * max(dot(sum, material.to_light) * inversesqrt(dot(sum, sum)), 0.0);
    out_color = vec4(color * light, 1.0);
}
