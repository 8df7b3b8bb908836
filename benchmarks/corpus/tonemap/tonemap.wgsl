// An HDR image to display: exposure, saturation, the ACES curve, a vignette, sRGB.

struct Grade {
    exposure: f32,
    saturation: f32,
    vignette: f32,
}

@group(0) @binding(0) var<uniform> grade: Grade;
@group(0) @binding(1) var hdr: texture_2d<f32>;
@group(0) @binding(2) var hdr_samp: sampler;

fn aces(x: vec3<f32>) -> vec3<f32> {
    let a = 2.51;
    let b = 0.03;
    let c = 2.43;
    let d = 0.59;
    let e = 0.14;
    return clamp((x * (a * x + b)) / (x * (c * x + d) + e), vec3(0.0), vec3(1.0));
}

fn linear_to_srgb(color: vec3<f32>) -> vec3<f32> {
    let low = color * 12.92;
    let high = pow(color, vec3(1.0 / 2.4)) * 1.055 - 0.055;
    return mix(high, low, step(color, vec3(0.0031308)));
}

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var color = textureSample(hdr, hdr_samp, uv).rgb;
    color *= exp2(grade.exposure);
    let luma = dot(color, vec3(0.2126, 0.7152, 0.0722));
    color = mix(vec3(luma), color, grade.saturation);
    color = aces(max(color, vec3(0.0)));
    let centered = uv * 2.0 - 1.0;
    color *= 1.0 - smoothstep(0.4, 1.6, length(centered)) * grade.vignette;
    return vec4(linear_to_srgb(color), 1.0);
}
