struct Material {
    scale: f32,
    sharpness: f32,
    to_light: vec3<f32>,
}

@group(0) @binding(0) var<uniform> material: Material;
@group(0) @binding(1) var albedo_tex: texture_2d<f32>;
@group(0) @binding(2) var albedo_samp: sampler;
@group(0) @binding(3) var bumps_tex: texture_2d<f32>;
@group(0) @binding(4) var bumps_samp: sampler;

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>) -> @location(0) vec4<f32> {
    let n = normalize(normal);
    let p = world * material.scale;
    var blend = pow(abs(n), vec3<f32>(material.sharpness));
    blend *= 1.0 / (blend.x + blend.y + blend.z);
    var color = textureSample(albedo_tex, albedo_samp, p.zy).xyz * blend.x;
    color += textureSample(albedo_tex, albedo_samp, p.xz).xyz * blend.y;
    color += textureSample(albedo_tex, albedo_samp, p.xy).xyz * blend.z;
    var x = textureSample(bumps_tex, bumps_samp, p.zy).xyz * 2.0 - 1.0;
    var y = textureSample(bumps_tex, bumps_samp, p.xz).xyz * 2.0 - 1.0;
    var z = textureSample(bumps_tex, bumps_samp, p.xy).xyz * 2.0 - 1.0;
    x = vec3<f32>(x.xy + n.zy, abs(x.z) * n.x);
    y = vec3<f32>(y.xy + n.xz, abs(y.z) * n.y);
    z = vec3<f32>(z.xy + n.xy, abs(z.z) * n.z);
    let sum = x.zyx * blend.x + y.xzy * blend.y + z * blend.z;
    let light = 0.1 + 0.9 * max(dot(sum, material.to_light) * inverseSqrt(dot(sum, sum)), 0.0);
    return vec4<f32>(color * light, 1.0);
}
