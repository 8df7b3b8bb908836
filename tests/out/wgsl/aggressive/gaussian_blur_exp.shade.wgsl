struct Blur {
    direction: vec2<f32>,
    sigma: f32,
}

@group(0) @binding(0) var<uniform> blur: Blur;
@group(0) @binding(1) var source_tex: texture_2d<f32>;
@group(0) @binding(2) var source_samp: sampler;

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let quotient = -0.5 / (blur.sigma * blur.sigma);
    var sum = vec4<f32>(0.0);
    var total = 0.0;
    for (var i = -4; i < 5; i++) {
        let x = f32(i);
        let weight = exp(quotient * (x * x));
        sum += textureSample(source_tex, source_samp, uv + blur.direction * x) * weight;
        total += weight;
    }
    return sum * (1.0 / total);
}
