// Bloom, second pass: halve with 13 taps.

struct Bloom {
    texel: vec2<f32>,
    threshold: f32,
    knee: f32,
    strength: f32,
}

@group(0) @binding(0) var<uniform> bloom: Bloom;
@group(0) @binding(1) var source: texture_2d<f32>;
@group(0) @binding(2) var source_samp: sampler;

fn tap(uv: vec2<f32>, x: f32, y: f32) -> vec3<f32> {
    return textureSampleLevel(source, source_samp, uv + vec2(x, y) * bloom.texel, 0.0).rgb;
}

fn box(uv: vec2<f32>, x: f32, y: f32, reach: f32) -> vec3<f32> {
    return 0.25 * (
        tap(uv, x - reach, y - reach) + tap(uv, x + reach, y - reach)
        + tap(uv, x - reach, y + reach) + tap(uv, x + reach, y + reach)
    );
}

@fragment
fn downsample(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var corners = box(uv, -1.0, -1.0, 1.0) + box(uv, 1.0, -1.0, 1.0);
    corners += box(uv, -1.0, 1.0, 1.0) + box(uv, 1.0, 1.0, 1.0);
    return vec4(box(uv, 0.0, 0.0, 1.0) * 0.5 + corners * 0.125, 1.0);
}
