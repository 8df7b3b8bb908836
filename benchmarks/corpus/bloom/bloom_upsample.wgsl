// Bloom, last pass: add the smaller image back with a 3x3 tent.

struct Bloom {
    texel: vec2<f32>,
    threshold: f32,
    knee: f32,
    strength: f32,
}

@group(0) @binding(0) var<uniform> bloom: Bloom;
@group(0) @binding(1) var source: texture_2d<f32>;
@group(0) @binding(2) var source_samp: sampler;
@group(0) @binding(3) var smaller: texture_2d<f32>;
@group(0) @binding(4) var smaller_samp: sampler;

@fragment
fn upsample(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = vec3(0.0);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            let offset = vec2(f32(x), f32(y)) * bloom.texel;
            sum += textureSampleLevel(smaller, smaller_samp, uv + offset, 0.0).rgb * weight;
        }
    }
    let base = textureSample(source, source_samp, uv).rgb;
    return vec4(base + sum * bloom.strength, 1.0);
}
