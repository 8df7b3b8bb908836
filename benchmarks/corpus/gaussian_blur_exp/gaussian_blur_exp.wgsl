// One direction of a Gaussian blur of nine taps; the weights follow from sigma.

const RADIUS: i32 = 4;

struct Blur {
    direction: vec2<f32>, // one texel along the direction
    sigma: f32,
}

@group(0) @binding(0) var<uniform> blur: Blur;
@group(0) @binding(1) var source: texture_2d<f32>;
@group(0) @binding(2) var source_samp: sampler;

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = vec4(0.0);
    var total = 0.0;
    for (var i = -RADIUS; i <= RADIUS; i++) {
        let x = f32(i);
        let weight = exp(-(x * x) / (2.0 * blur.sigma * blur.sigma));
        sum += textureSample(source, source_samp, uv + blur.direction * x) * weight;
        total += weight;
    }
    return sum / total;
}
