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

@fragment
fn gather(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let center = textureSample(colors_tex, colors_samp, uv);
    let product = lens.texel * lens.max_radius;
    let product_1 = abs(center.w) * 2.0;
    var sum = center.xyz;
    var total = 1.0;
    for (var i = 1; i < 32; i++) {
        let i_float = f32(i);
        let angle = i_float * 2.3999631;
        let root = sqrt(i_float * 0.03125);
        let found = textureSampleLevel(colors_tex, colors_samp,
            uv + product * vec2<f32>(cos(angle), sin(angle)) * root, 0.0);
        let reach = lens.max_radius * root;
        let size = found.w;
        let weight = smoothstep(reach - 0.5, reach + 0.5,
            abs(select(size, clamp(size, 0.0, product_1), size > center.w)));
        sum += mix(sum * (1.0 / total), found.xyz, weight);
        total += 1.0;
    }
    return vec4<f32>(sum * (1.0 / total), 1.0);
}
