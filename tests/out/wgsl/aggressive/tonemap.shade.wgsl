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
    var color = textureSample(hdr_tex, hdr_samp, uv).xyz;
    color *= exp2(grade.exposure);
    let luma = dot(color, vec3<f32>(0.2126, 0.7152, 0.0722));
    color = mix(vec3<f32>(luma), color, grade.saturation);
    let greatest = max(color, vec3<f32>(0.0));
    color = saturate(greatest * (2.51 * greatest + 0.03)
        / (greatest * (2.43 * greatest + 0.59) + 0.14));
    color *= 1.0 - smoothstep(0.4, 1.6, distance(uv * 2.0, vec2<f32>(1.0))) * grade.vignette;
    let low = color * 12.92;
    let high = pow(color, vec3<f32>(0.41666666)) * 1.055 - 0.055;
    return vec4<f32>(select(low, high, (vec3<f32>(0.0031308) < color)), 1.0);
}
