struct Grade {
    exposure: f32,
    saturation: f32,
    vignette: f32,
}

@group(0) @binding(0) var<uniform> grade: Grade;
@group(0) @binding(1) var hdr_tex: texture_2d<f32>;
@group(0) @binding(2) var hdr_samp: sampler;

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let color = textureSample(hdr_tex, hdr_samp, uv).xyz;
    let exp2_exposure = exp2(grade.exposure);
    var color_1 = color * exp2_exposure;
    let luma = dot(color, vec3<f32>(0.2126, 0.7152, 0.0722)) * exp2_exposure;
    color_1 = mix(vec3<f32>(luma), color_1, grade.saturation);
    let greatest = max(color_1, vec3<f32>(0.0));
    color_1 = saturate(greatest * (2.51 * greatest + 0.03)
        / (greatest * (2.43 * greatest + 0.59) + 0.14))
        * (1.0 - smoothstep(0.4, 1.6, distance(uv * 2.0, vec2<f32>(1.0))) * grade.vignette);
    let low = color_1 * 12.92;
    let high = pow(color_1, vec3<f32>(0.41666666)) * 1.055 - 0.055;
    return vec4<f32>(select(low, high, (vec3<f32>(0.0031308) < color_1)), 1.0);
}
