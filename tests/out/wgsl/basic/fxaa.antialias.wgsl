struct Image {
    texel: vec2<f32>,
}

@group(0) @binding(0) var<uniform> image: Image;
@group(0) @binding(1) var scene_tex: texture_2d<f32>;
@group(0) @binding(2) var scene_samp: sampler;

fn luminance(color: vec3<f32>) -> f32 {
    return dot(color, vec3<f32>(0.2126, 0.7152, 0.0722));
}

fn fetch(uv: vec2<f32>) -> vec3<f32> {
    return textureSampleLevel(scene_tex, scene_samp, uv, 0.0).xyz;
}

@fragment
fn antialias(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let center = fetch(uv);
    let nw = luminance(fetch(uv - image.texel));
    let ne = luminance(fetch(uv + vec2<f32>(1.0, -1.0) * image.texel));
    let sw = luminance(fetch(uv + vec2<f32>(-1.0, 1.0) * image.texel));
    let se = luminance(fetch(uv + image.texel));
    let middle = luminance(center);
    let low = min(middle, min(min(nw, ne), min(sw, se)));
    let high = max(middle, max(max(nw, ne), max(sw, se)));
    let nw_plus_ne = nw + ne;
    let difference = sw + se - nw_plus_ne;
    let difference_1 = nw + sw - (ne + se);
    let along = vec2<f32>(difference, difference_1);
    let reduce = max((nw_plus_ne + sw + se) * 0.03125, 0.0078125);
    let shortest = min(abs(difference), abs(difference_1)) + reduce;
    let step_ = clamp(along / shortest, vec2<f32>(-8.0), vec2<f32>(8.0)) * image.texel;
    let step_over_6 = step_ / 6.0;
    let inner = 0.5 * (fetch(uv - step_over_6) + fetch(uv + step_over_6));
    let half_step = step_ * 0.5;
    let outer = 0.5 * inner + 0.25 * (fetch(uv - half_step) + fetch(uv + half_step));
    let brightness = luminance(outer);
    if (brightness < low || brightness > high) {
        return vec4<f32>(inner, 1.0);
    }
    return vec4<f32>(outer, 1.0);
}
