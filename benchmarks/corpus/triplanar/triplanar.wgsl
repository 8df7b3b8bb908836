// Triplanar mapping: a texture from three sides, and its normal map by whiteout blending.

struct Material {
    scale: f32,
    sharpness: f32,
    to_light: vec3<f32>,
}

@group(0) @binding(0) var<uniform> material: Material;
@group(0) @binding(1) var albedo: texture_2d<f32>;
@group(0) @binding(2) var albedo_samp: sampler;
@group(0) @binding(3) var bumps: texture_2d<f32>;
@group(0) @binding(4) var bumps_samp: sampler;

fn bump(uv: vec2<f32>) -> vec3<f32> {
    return textureSample(bumps, bumps_samp, uv).xyz * 2.0 - 1.0;
}

@fragment
fn shade(
    @location(0) world: vec3<f32>, @location(1) normal: vec3<f32>
) -> @location(0) vec4<f32> {
    let n = normalize(normal);
    let p = world * material.scale;
    var blend = pow(abs(n), vec3(material.sharpness));
    blend /= blend.x + blend.y + blend.z;

    var color = textureSample(albedo, albedo_samp, p.zy).rgb * blend.x;
    color += textureSample(albedo, albedo_samp, p.xz).rgb * blend.y;
    color += textureSample(albedo, albedo_samp, p.xy).rgb * blend.z;

    var x = bump(p.zy);
    var y = bump(p.xz);
    var z = bump(p.xy);
    x = vec3(x.xy + n.zy, abs(x.z) * n.x);
    y = vec3(y.xy + n.xz, abs(y.z) * n.y);
    z = vec3(z.xy + n.xy, abs(z.z) * n.z);
    let bumped = normalize(x.zyx * blend.x + y.xzy * blend.y + z.xyz * blend.z);
    let light = 0.1 + 0.9 * max(dot(bumped, material.to_light), 0.0);
    return vec4(color * light, 1.0);
}
