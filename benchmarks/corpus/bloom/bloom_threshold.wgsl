// Bloom, first pass: keep what is bright, with a soft knee.

struct Bloom {
    texel: vec2<f32>,
    threshold: f32,
    knee: f32,
    strength: f32,
}

@group(0) @binding(0) var<uniform> bloom: Bloom;
@group(0) @binding(1) var source: texture_2d<f32>;
@group(0) @binding(2) var source_samp: sampler;

@fragment
fn threshold(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let light = textureSample(source, source_samp, uv).rgb;
    let brightness = max(light.r, max(light.g, light.b));
    let soft = clamp(brightness - bloom.threshold + bloom.knee, 0.0, 2.0 * bloom.knee);
    let knee = soft * soft / (4.0 * bloom.knee + 0.0001);
    let kept = max(knee, brightness - bloom.threshold) / max(brightness, 0.0001);
    return vec4(light * kept, 1.0);
}
