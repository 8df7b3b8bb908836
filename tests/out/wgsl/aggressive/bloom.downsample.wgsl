struct Bloom {
    texel: vec2<f32>,
    threshold: f32,
    knee: f32,
    strength: f32,
}

@group(0) @binding(0) var<uniform> bloom: Bloom;
@group(0) @binding(1) var source_tex: texture_2d<f32>;
@group(0) @binding(2) var source_samp: sampler;

fn tap(uv: vec2<f32>, x: f32, y: f32) -> vec3<f32> {
    return textureSampleLevel(source_tex, source_samp, uv + vec2<f32>(x, y) * bloom.texel, 0.0).xyz;
}

fn box(uv: vec2<f32>, x: f32, y: f32) -> vec3<f32> {
    let x_minus_one = x - 1.0;
    let y_minus_one = y - 1.0;
    let x_plus_one = x + 1.0;
    let y_plus_one = y + 1.0;
    return 0.25 * (tap(uv, x_minus_one, y_minus_one) + tap(uv, x_plus_one, y_minus_one)
        + tap(uv, x_minus_one, y_plus_one) + tap(uv, x_plus_one, y_plus_one));
}

@fragment
fn downsample(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var corners = box(uv, -1.0, -1.0) + box(uv, 1.0, -1.0);
    corners += box(uv, -1.0, 1.0) + box(uv, 1.0, 1.0);
    return vec4<f32>(box(uv, 0.0, 0.0) * 0.5 + corners * 0.125, 1.0);
}
