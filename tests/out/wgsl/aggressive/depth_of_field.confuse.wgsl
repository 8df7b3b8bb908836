struct Lens {
    texel: vec2<f32>,
    focal_length: f32,
    aperture: f32,
    focus: f32,
    max_radius: f32,
    near: f32,
    far: f32,
}

@group(0) @binding(0) var<uniform> lens: Lens;
@group(0) @binding(1) var colors_tex: texture_2d<f32>;
@group(0) @binding(2) var colors_samp: sampler;
@group(0) @binding(3) var depths_tex: texture_2d<f32>;
@group(0) @binding(4) var depths_samp: sampler;

@fragment
fn confuse(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let depth = lens.near * lens.far
        / mix(lens.far, lens.near, textureSample(depths_tex, depths_samp, uv).x);
    let f = lens.focal_length;
    let blur = lens.aperture * f * (depth - lens.focus) / (depth * (lens.focus - f));
    return vec4<f32>(textureSample(colors_tex, colors_samp, uv).xyz,
        clamp(blur, -1.0, 1.0) * lens.max_radius);
}
