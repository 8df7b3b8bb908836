struct Image {
    texel: vec2<f32>,
}

@group(0) @binding(0) var<uniform> image: Image;
@group(0) @binding(1) var scene_tex: texture_2d<f32>;
@group(0) @binding(2) var scene_samp: sampler;

@fragment
fn antialias(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let center = textureSampleLevel(scene_tex, scene_samp, uv, 0.0).xyz;
    let factors = vec3<f32>(0.2126, 0.7152, 0.0722);
    let nw = dot(textureSampleLevel(scene_tex, scene_samp, uv - image.texel, 0.0).xyz, factors);
    let ne = dot(textureSampleLevel(scene_tex, scene_samp, uv + vec2<f32>(1.0, -1.0) * image.texel,
        0.0).xyz, factors);
    let sw = dot(textureSampleLevel(scene_tex, scene_samp, uv + vec2<f32>(-1.0, 1.0) * image.texel,
        0.0).xyz, factors);
    let se = dot(textureSampleLevel(scene_tex, scene_samp, uv + image.texel, 0.0).xyz, factors);
    let middle = dot(center, factors);
    let low = min(middle, min(min(nw, ne), min(sw, se)));
    let high = max(middle, max(max(nw, ne), max(sw, se)));
    let nw_plus_ne = nw + ne;
    let difference = sw + se - nw_plus_ne;
    let difference_1 = nw + sw - (ne + se);
    let along = vec2<f32>(difference, difference_1);
    let reduce = max((nw_plus_ne + sw + se) * 0.03125, 0.0078125);
    let shortest = min(abs(difference), abs(difference_1)) + reduce;
    let step_ = clamp(along * (1.0 / shortest), vec2<f32>(-8.0), vec2<f32>(8.0)) * image.texel;
    let product = step_ * 0.16666667;
    let sum = textureSampleLevel(scene_tex, scene_samp, uv - product, 0.0).xyz
        + textureSampleLevel(scene_tex, scene_samp, uv + product, 0.0).xyz;
    let half_step = step_ * 0.5;
    let outer = 0.25
        * (sum + (textureSampleLevel(scene_tex, scene_samp, uv - half_step, 0.0).xyz
            + textureSampleLevel(scene_tex, scene_samp, uv + half_step, 0.0).xyz));
    let brightness = dot(outer, factors);
    if (brightness < low || brightness > high) {
        let inner = 0.5 * sum;
        return vec4<f32>(inner, 1.0);
    }
    return vec4<f32>(outer, 1.0);
}
