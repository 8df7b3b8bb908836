@group(1) @binding(0) var material_tex_tex: texture_2d<f32>;
@group(1) @binding(1) var material_tex_samp: sampler;
@group(1) @binding(2) var<uniform> light_dir: vec3<f32>;

@fragment
fn shade(@location(0) uv: vec2<f32>, @location(1) normal: vec3<f32>) -> @location(0) vec4<f32> {
    let albedo = textureSample(material_tex_tex, material_tex_samp, uv);
    let light = max(dot(normal, light_dir) * inverseSqrt(dot(normal, normal)), 0.0);
    return vec4<f32>(albedo.xyz * light, albedo.w);
}
