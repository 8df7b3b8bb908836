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

fn bump(uv: vec2<f32>) -> vec3<f32> {
    return textureSample(bumps_tex, bumps_samp, uv).xyz * 2.0 - 1.0;
}

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>) -> @location(0) vec4<f32> {
    let n = normalize(normal);
    let p = world * material.scale;
    let blend = pow(abs(n), vec3<f32>(material.sharpness));
    let sum = blend.x + blend.y + blend.z;
    let value = vec3<f32>(blend.x / sum);
    var color = textureSample(albedo_tex, albedo_samp, p.zy).xyz * value;
    let value_1 = vec3<f32>(blend.y / sum);
    color += textureSample(albedo_tex, albedo_samp, p.xz).xyz * value_1;
    let value_2 = vec3<f32>(blend.z / sum);
    color += textureSample(albedo_tex, albedo_samp, p.xy).xyz * value_2;
    var x = bump(p.zy);
    var y = bump(p.xz);
    var z = bump(p.xy);
    x = vec3<f32>(x.xy + n.zy, abs(x.z) * n.x);
    y = vec3<f32>(y.xy + n.xz, abs(y.z) * n.y);
    z = vec3<f32>(z.xy + n.xy, abs(z.z) * n.z);
    let normal_1 = normalize(x.zyx * value + y.xzy * value_1 + z * value_2);
    let light = 0.1 + 0.9 * max(dot(normal_1, material.to_light), 0.0);
    return vec4<f32>(color * light, 1.0);
}
