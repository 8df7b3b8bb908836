struct Blur {
    direction: vec2<f32>,
}

const WEIGHTS = array<f32, 5>(0.22702703, 0.19459459, 0.12162162, 0.054054055, 0.016216217);

@group(0) @binding(0) var<uniform> blur: Blur;
@group(0) @binding(1) var source_tex: texture_2d<f32>;
@group(0) @binding(2) var source_samp: sampler;

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var color = textureSample(source_tex, source_samp, uv).xyz * 0.22702703;
    for (var i = 1; i < 5; i++) {
        let offset = blur.direction * f32(i);
        color += textureSample(source_tex, source_samp, uv + offset).xyz * WEIGHTS[i];
        color += textureSample(source_tex, source_samp, uv - offset).xyz * WEIGHTS[i];
    }
    return vec4<f32>(color, 1.0);
}
