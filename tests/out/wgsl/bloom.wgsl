struct Bloom {
    texel: vec2<f32>,
    threshold: f32,
    knee: f32,
    strength: f32,
}

struct FullscreenOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@group(0) @binding(0) var<uniform> bloom: Bloom;
@group(0) @binding(1) var source_tex: texture_2d<f32>;
@group(0) @binding(2) var source_samp: sampler;
@group(0) @binding(3) var smaller_tex: texture_2d<f32>;
@group(0) @binding(4) var smaller_samp: sampler;

@vertex
fn fullscreen(@builtin(vertex_index) vertex_index: u32) -> FullscreenOutput {
    let index = i32(vertex_index);
    let corner = vec2<f32>(f32((index << 1u) & 2), f32(index & 2));
    return FullscreenOutput(vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0), corner);
}

fn tap(uv: vec2<f32>, x: f32, y: f32) -> vec3<f32> {
    return textureSampleLevel(source_tex, source_samp, uv + vec2<f32>(x, y) * bloom.texel, 0.0).xyz;
}

fn box(uv: vec2<f32>, x: f32, y: f32, reach: f32) -> vec3<f32> {
    return 0.25 * (tap(uv, x - reach, y - reach) + tap(uv, x + reach, y - reach)
        + tap(uv, x - reach, y + reach) + tap(uv, x + reach, y + reach));
}

@fragment
fn threshold(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let light = textureSample(source_tex, source_samp, uv).xyz;
    let brightness = max(light.x, max(light.y, light.z));
    let soft = clamp(brightness - bloom.threshold + bloom.knee, 0.0, 2.0 * bloom.knee);
    let knee = soft * soft / (4.0 * bloom.knee + 0.0001);
    let kept = max(knee, brightness - bloom.threshold) / max(brightness, 0.0001);
    return vec4<f32>(light * kept, 1.0);
}

@fragment
fn downsample(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var corners = box(uv, -1.0, -1.0, 1.0) + box(uv, 1.0, -1.0, 1.0);
    corners += box(uv, -1.0, 1.0, 1.0) + box(uv, 1.0, 1.0, 1.0);
    return vec4<f32>(box(uv, 0.0, 0.0, 1.0) * 0.5 + corners * 0.125, 1.0);
}

@fragment
fn upsample(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = vec3<f32>(0.0);
    for (var y = -1; y < 2; y++) {
        for (var x = -1; x < 2; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            let offset = vec2<f32>(f32(x), f32(y)) * bloom.texel;
            sum += textureSampleLevel(smaller_tex, smaller_samp, uv + offset, 0.0).xyz * weight;
        }
    }
    return vec4<f32>(textureSample(source_tex, source_samp, uv).xyz + sum * bloom.strength, 1.0);
}
