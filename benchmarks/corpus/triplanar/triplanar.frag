#version 450
// Triplanar mapping: a texture from three sides, and its normal map by whiteout blending.

layout(set = 0, binding = 0, std140) uniform Material {
    float scale;
    float sharpness;
    vec3 to_light;
} material;

layout(set = 0, binding = 1) uniform texture2D albedo;
layout(set = 0, binding = 2) uniform sampler albedo_samp;
layout(set = 0, binding = 3) uniform texture2D bumps;
layout(set = 0, binding = 4) uniform sampler bumps_samp;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;

layout(location = 0) out vec4 out_color;

vec3 bump(vec2 uv) {
    return texture(sampler2D(bumps, bumps_samp), uv).xyz * 2.0 - 1.0;
}

void main() {
    vec3 n = normalize(normal);
    vec3 p = world * material.scale;
    vec3 blend = pow(abs(n), vec3(material.sharpness));
    blend /= blend.x + blend.y + blend.z;

    vec3 color = texture(sampler2D(albedo, albedo_samp), p.zy).rgb * blend.x;
    color += texture(sampler2D(albedo, albedo_samp), p.xz).rgb * blend.y;
    color += texture(sampler2D(albedo, albedo_samp), p.xy).rgb * blend.z;

    vec3 x = bump(p.zy);
    vec3 y = bump(p.xz);
    vec3 z = bump(p.xy);
    x = vec3(x.xy + n.zy, abs(x.z) * n.x);
    y = vec3(y.xy + n.xz, abs(y.z) * n.y);
    z = vec3(z.xy + n.xy, abs(z.z) * n.z);
    vec3 bumped = normalize(x.zyx * blend.x + y.xzy * blend.y + z.xyz * blend.z);
    float light = 0.1 + 0.9 * max(dot(bumped, material.to_light), 0.0);
    out_color = vec4(color * light, 1.0);
}
