struct Image {
    texel: vec2<f32>,
}

@group(0) @binding(0) var<uniform> image: Image;
@group(0) @binding(1) var scene_tex: texture_2d<f32>;
@group(0) @binding(2) var scene_samp: sampler;

@fragment
fn antialias(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let dot_product = dot(textureSampleLevel(scene_tex, scene_samp, uv - image.texel, 0.0).xyz,
        vec3<f32>(0.2126, 0.7152, 0.0722));
    let dot_product_1 =
        dot(textureSampleLevel(scene_tex, scene_samp, uv + vec2<f32>(1.0, -1.0) * image.texel,
            0.0).xyz, vec3<f32>(0.2126, 0.7152, 0.0722));
    let dot_product_2 =
        dot(textureSampleLevel(scene_tex, scene_samp, uv + vec2<f32>(-1.0, 1.0) * image.texel,
            0.0).xyz, vec3<f32>(0.2126, 0.7152, 0.0722));
    let dot_product_3 = dot(textureSampleLevel(scene_tex, scene_samp, uv + image.texel, 0.0).xyz,
        vec3<f32>(0.2126, 0.7152, 0.0722));
    let dot_product_4 = dot(textureSampleLevel(scene_tex, scene_samp, uv, 0.0).xyz,
        vec3<f32>(0.2126, 0.7152, 0.0722));
    let low = min(dot_product_4,
        min(min(dot_product, dot_product_1), min(dot_product_2, dot_product_3)));
    let high = max(dot_product_4,
        max(max(dot_product, dot_product_1), max(dot_product_2, dot_product_3)));
    let sum = dot_product + dot_product_1;
    let difference = dot_product_2 + dot_product_3 - sum;
    let difference_1 = dot_product + dot_product_2 - (dot_product_1 + dot_product_3);
    let along = vec2<f32>(difference, difference_1);
    let reduce = max((sum + dot_product_2 + dot_product_3) * 0.03125, 0.0078125);
    let shortest = min(abs(difference), abs(difference_1)) + reduce;
    let step_ = clamp(along * (1.0 / shortest), vec2<f32>(-8.0), vec2<f32>(8.0)) * image.texel;
    let product = step_ * 0.16666667;
    let sum_1 = textureSampleLevel(scene_tex, scene_samp, uv - product, 0.0).xyz
        + textureSampleLevel(scene_tex, scene_samp, uv + product, 0.0).xyz;
    let half_step = step_ * 0.5;
    let outer = 0.25
        * (sum_1 + (textureSampleLevel(scene_tex, scene_samp, uv - half_step, 0.0).xyz
            + textureSampleLevel(scene_tex, scene_samp, uv + half_step, 0.0).xyz));
    let dot_product_5 = dot(outer, vec3<f32>(0.2126, 0.7152, 0.0722));
    if (dot_product_5 < low || dot_product_5 > high) {
        let inner = 0.5 * sum_1;
        return vec4<f32>(inner, 1.0);
    }
    return vec4<f32>(outer, 1.0);
}
