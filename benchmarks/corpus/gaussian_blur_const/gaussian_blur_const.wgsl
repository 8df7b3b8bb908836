// One direction of a Gaussian blur of nine taps with constant weights.

const WEIGHTS = array<f32, 5>(0.227027027, 0.194594595, 0.121621622, 0.054054054, 0.016216216);

struct Blur {
    direction: vec2<f32>, // one texel along the direction
}

@group(0) @binding(0) var<uniform> blur: Blur;
@group(0) @binding(1) var source: texture_2d<f32>;
@group(0) @binding(2) var source_samp: sampler;

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var weights = WEIGHTS; // a constant cannot be indexed at run time
    var color = textureSample(source, source_samp, uv).rgb * weights[0];
    for (var i = 1; i < 5; i++) {
        let offset = blur.direction * f32(i);
        color += textureSample(source, source_samp, uv + offset).rgb * weights[i];
        color += textureSample(source, source_samp, uv - offset).rgb * weights[i];
    }
    return vec4(color, 1.0);
}
