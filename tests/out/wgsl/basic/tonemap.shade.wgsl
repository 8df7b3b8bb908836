struct Grade {
    exposure: f32,
    saturation: f32,
    vignette: f32,
}

@group(0) @binding(0) var<uniform> grade: Grade;
@group(0) @binding(1) var hdr_tex: texture_2d<f32>;
@group(0) @binding(2) var hdr_samp: sampler;

fn aces(x: vec3<f32>) -> vec3<f32> {
    return saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
}

fn linear_to_srgb(color: vec3<f32>) -> vec3<f32> {
    let low = color * 12.92;
    let high = pow(color, vec3<f32>(0.41666666)) * 1.055 - 0.055;
    return mix(high, low, step(color, vec3<f32>(0.0031308)));
}

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var color = textureSample(hdr_tex, hdr_samp, uv).xyz;
    color *= exp2(grade.exposure);
    let luma = dot(color, vec3<f32>(0.2126, 0.7152, 0.0722));
    color = mix(vec3<f32>(luma), color, grade.saturation);
    color = aces(max(color, vec3<f32>(0.0)));
    let centered = uv * 2.0 - 1.0;
    color *= 1.0 - smoothstep(0.4, 1.6, length(centered)) * grade.vignette;
    return vec4<f32>(linear_to_srgb(color), 1.0);
}
