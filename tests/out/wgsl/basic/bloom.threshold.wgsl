struct Bloom {
    texel: vec2<f32>,
    threshold: f32,
    knee: f32,
    strength: f32,
}

@group(0) @binding(0) var<uniform> bloom: Bloom;
@group(0) @binding(1) var source_tex: texture_2d<f32>;
@group(0) @binding(2) var source_samp: sampler;

@fragment
fn threshold(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let light = textureSample(source_tex, source_samp, uv).xyz;
    let brightness = max(light.x, max(light.y, light.z));
    let difference = brightness - bloom.threshold;
    let soft = clamp(difference + bloom.knee, 0.0, 2.0 * bloom.knee);
    let knee = soft * soft / (4.0 * bloom.knee + 0.0001);
    let kept = max(knee, difference) / max(brightness, 0.0001);
    return vec4<f32>(light * kept, 1.0);
}
