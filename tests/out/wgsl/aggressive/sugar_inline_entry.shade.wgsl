@group(0) @binding(0) var material_tex_tex: texture_2d<f32>;
@group(0) @binding(1) var material_tex_samp: sampler;

@fragment
fn shade(@location(0) uv: vec2<f32>, @location(1) level: f32) -> @location(0) vec4<f32> {
    let albedo = textureSample(material_tex_tex, material_tex_samp, uv);
    return vec4<f32>(albedo.xyz * level, 1.0);
}
