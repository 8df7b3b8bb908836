struct TransformOutput {
    @builtin(position) place: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) level: f32,
}

@group(0) @binding(0) var material_tex_tex: texture_2d<f32>;
@group(0) @binding(1) var material_tex_samp: sampler;

@vertex
fn transform(@builtin(vertex_index) vertex_index: u32, @location(0) offset: vec2<f32>,
    @location(1) shade_1: f32) -> TransformOutput {
    let index = i32(vertex_index);
    let corner = vec2<f32>(f32((index << 1u) & 2), f32(index & 2));
    return TransformOutput(vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0), corner + offset, shade_1);
}

@fragment
fn shade(@location(0) uv: vec2<f32>, @location(1) level: f32) -> @location(0) vec4<f32> {
    let albedo = textureSample(material_tex_tex, material_tex_samp, uv);
    return vec4<f32>(albedo.xyz * level, 1.0);
}
