struct Grade {
    exposure: f32,
    saturation: f32,
    lift: vec3<f32>,
}

@group(0) @binding(0) var hdr: texture_2d<f32>;
@group(0) @binding(1) var nearest: sampler;
@group(1) @binding(0) var<uniform> grade: Grade;

fn luminance(color: vec3<f32>) -> f32 {
    return dot(color, vec3<f32>(0.2126, 0.7152, 0.0722));
}

fn aces_fit(x: vec3<f32>) -> vec3<f32> {
    return saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
}

fn linear_to_srgb(color: vec3<f32>) -> vec3<f32> {
    let low = color * 12.92;
    let high = 1.055 * pow(max(color, vec3<f32>(0.0)), vec3<f32>(0.41666666)) - 0.055;
    return select(high, low, color <= vec3<f32>(0.0031308));
}

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let light = textureSample(hdr, nearest, uv).xyz * exp2(grade.exposure);
    let grey = luminance(light);
    let graded = max(mix(vec3<f32>(grey), light, grade.saturation) + grade.lift, vec3<f32>(0.0));
    return vec4<f32>(linear_to_srgb(aces_fit(graded)), grey);
}
