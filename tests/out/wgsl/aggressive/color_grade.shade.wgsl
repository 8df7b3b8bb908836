struct Grade {
    exposure: f32,
    saturation: f32,
    lift: vec3<f32>,
}

@group(0) @binding(0) var hdr: texture_2d<f32>;
@group(0) @binding(1) var nearest: sampler;
@group(1) @binding(0) var<uniform> grade: Grade;

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let light = textureSample(hdr, nearest, uv).xyz * exp2(grade.exposure);
    let grey = dot(light, vec3<f32>(0.2126, 0.7152, 0.0722));
    let graded = max(mix(vec3<f32>(grey), light, grade.saturation) + grade.lift, vec3<f32>(0.0));
    let value = saturate(graded * (2.51 * graded + 0.03)
        / (graded * (2.43 * graded + 0.59) + 0.14));
    let low = value * 12.92;
    let high = 1.055 * pow(value, vec3<f32>(0.41666666)) - 0.055;
    return vec4<f32>(select(high, low, value <= vec3<f32>(0.0031308)), grey);
}
