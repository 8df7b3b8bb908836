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

vec3 bump(vec2 uv) {
    return texture(bumps, uv).xyz * 2.0 - 1.0;
}

void main() {
    vec3 n = normalize(normal);
    vec3 p = world * material.scale;
    vec3 blend = pow(abs(n), vec3(material.sharpness));
    float sum = blend.x + blend.y + blend.z;
    vec3 value = vec3(blend.x / sum);
    vec3 color = texture(albedo, p.zy).xyz * value;
    vec3 value_1 = vec3(blend.y / sum);
    color += texture(albedo, p.xz).xyz * value_1;
    vec3 value_2 = vec3(blend.z / sum);
    color += texture(albedo, p.xy).xyz * value_2;
    vec3 x = bump(p.zy);
    vec3 y = bump(p.xz);
    vec3 z = bump(p.xy);
    x = vec3(x.xy + n.zy, abs(x.z) * n.x);
    y = vec3(y.xy + n.xz, abs(y.z) * n.y);
    z = vec3(z.xy + n.xy, abs(z.z) * n.z);
    vec3 normal_1 = normalize(x.zyx * value + y.xzy * value_1 + z * value_2);
    float light = 0.1 + 0.9 * max(dot(normal_1, material.to_light), 0.0);
    out_color = vec4(color * light, 1.0);
}
