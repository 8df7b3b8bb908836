// Fast approximate anti-aliasing: blur along the edge that the neighbours' luma shows.

const REDUCE_MIN: f32 = 1.0 / 128.0;
const REDUCE_MUL: f32 = 1.0 / 8.0;
const SPAN: f32 = 8.0;

struct Image {
    texel: vec2<f32>,
}

@group(0) @binding(0) var<uniform> image: Image;
@group(0) @binding(1) var scene: texture_2d<f32>;
@group(0) @binding(2) var scene_samp: sampler;

fn fetch(uv: vec2<f32>) -> vec3<f32> {
    return textureSampleLevel(scene, scene_samp, uv, 0.0).rgb;
}

fn luminance(color: vec3<f32>) -> f32 {
    return dot(color, vec3(0.2126, 0.7152, 0.0722));
}

@fragment
fn antialias(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let center = fetch(uv);
    let nw = luminance(fetch(uv + vec2(-1.0, -1.0) * image.texel));
    let ne = luminance(fetch(uv + vec2(1.0, -1.0) * image.texel));
    let sw = luminance(fetch(uv + vec2(-1.0, 1.0) * image.texel));
    let se = luminance(fetch(uv + vec2(1.0, 1.0) * image.texel));
    let middle = luminance(center);
    let low = min(middle, min(min(nw, ne), min(sw, se)));
    let high = max(middle, max(max(nw, ne), max(sw, se)));

    let along = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    let reduce = max((nw + ne + sw + se) * (0.25 * REDUCE_MUL), REDUCE_MIN);
    let shortest = min(abs(along.x), abs(along.y)) + reduce;
    let step_ = clamp(along / shortest, vec2(-SPAN), vec2(SPAN)) * image.texel;

    let inner = 0.5 * (fetch(uv - step_ / 6.0) + fetch(uv + step_ / 6.0));
    let outer = 0.5 * inner + 0.25 * (fetch(uv - step_ * 0.5) + fetch(uv + step_ * 0.5));
    let brightness = luminance(outer);
    if (brightness < low || brightness > high) {
        return vec4(inner, 1.0);
    }
    return vec4(outer, 1.0);
}
