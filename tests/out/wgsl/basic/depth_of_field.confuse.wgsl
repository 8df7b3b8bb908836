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

fn linear_depth(depth: f32) -> f32 {
    return lens.near * lens.far / (lens.far - depth * (lens.far - lens.near));
}

fn circle_of_confusion(distance_: f32) -> f32 {
    let f = lens.focal_length;
    let blur = lens.aperture * f * (distance_ - lens.focus) / (distance_ * (lens.focus - f));
    return clamp(blur, -1.0, 1.0) * lens.max_radius;
}

@fragment
fn confuse(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let depth = linear_depth(textureSample(depths_tex, depths_samp, uv).x);
    return vec4<f32>(textureSample(colors_tex, colors_samp, uv).xyz, circle_of_confusion(depth));
}
