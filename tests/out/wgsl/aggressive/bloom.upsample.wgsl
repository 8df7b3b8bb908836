struct Bloom {
    texel: vec2<f32>,
    threshold: f32,
    knee: f32,
    strength: f32,
}

@group(0) @binding(0) var<uniform> bloom: Bloom;
@group(0) @binding(1) var source_tex: texture_2d<f32>;
@group(0) @binding(2) var source_samp: sampler;
@group(0) @binding(3) var smaller_tex: texture_2d<f32>;
@group(0) @binding(4) var smaller_samp: sampler;

@fragment
fn upsample(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = vec3<f32>(0.0);
    for (var y = -1; y < 2; y++) {
        let y_float = f32(y);
        let difference = 2 - abs(y);
        for (var x = -1; x < 2; x++) {
            let offset = vec2<f32>(f32(x), y_float) * bloom.texel;
            let weight = f32((2 - abs(x)) * difference) * 0.0625;
            sum += textureSampleLevel(smaller_tex, smaller_samp, uv + offset, 0.0).xyz * weight;
        }
    }
    return vec4<f32>(textureSample(source_tex, source_samp, uv).xyz + sum * bloom.strength, 1.0);
}
