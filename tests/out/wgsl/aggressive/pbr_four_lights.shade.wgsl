struct Scene {
    light_positions: array<vec4<f32>, 4>,
    light_colors: array<vec4<f32>, 4>,
    camera: vec3<f32>,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(1) @binding(0) var albedo_map_tex: texture_2d<f32>;
@group(1) @binding(1) var albedo_map_samp: sampler;
@group(1) @binding(2) var surface_map_tex: texture_2d<f32>;
@group(1) @binding(3) var surface_map_samp: sampler;

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let albedo = pow(textureSample(albedo_map_tex, albedo_map_samp, uv).xyz, vec3<f32>(2.2));
    let surface_map_texel = textureSample(surface_map_tex, surface_map_samp, uv);
    let n = normalize(normal);
    let v = normalize(scene.camera - world);
    let metallic = surface_map_texel.z;
    let f0 = mix(vec3<f32>(0.04), albedo, metallic);
    let product = albedo * ((1.0 - metallic) * 0.31830987);
    let dot_n_v = dot(n, v);
    let n_dot_v = saturate(dot_n_v);
    let roughness = surface_map_texel.y;
    let a = roughness * roughness;
    let a2 = a * a;
    let r = roughness + 1.0;
    let k = r * r * 0.125;
    let one_minus_k = 1.0 - k;
    let quotient = n_dot_v * a2 * 0.31830987 / (n_dot_v * one_minus_k + k);
    let product_1 = 4.0 * n_dot_v;
    let a2_minus_one = a2 - 1.0;
    let one_minus_f0 = 1.0 - f0;
    var light = vec3<f32>(0.0);
    for (var i = 0; i < 4; i++) {
        let difference = scene.light_positions[i].xyz - world;
        let l = normalize(difference);
        let dot_n_l = dot(n, l);
        let n_dot_l = saturate(dot_n_l);
        let denominator = product_1 * n_dot_l + 0.0001;
        let dot_v_l = dot(v, l);
        let value = inverseSqrt(2.0 + 2.0 * dot_v_l);
        let n_dot_h = saturate((dot_n_v + dot_n_l) * value);
        let denominator_1 = n_dot_h * n_dot_h * a2_minus_one + 1.0;
        let difference_1 = 1.0 - saturate((1.0 + dot_v_l) * value);
        let product_2 = difference_1 * difference_1;
        let f = f0 + one_minus_f0 * (product_2 * product_2 * difference_1);
        light += scene.light_colors[i].xyz
            * mix(product, vec3<f32>(quotient
                * (n_dot_l / ((n_dot_l * one_minus_k + k) * denominator
                    * (denominator_1 * denominator_1)))), f)
            * (n_dot_l / dot(difference, difference));
    }
    var color = albedo * (0.03 * surface_map_texel.x) + light;
    color /= color + 1.0;
    return vec4<f32>(pow(color, vec3<f32>(0.45454544)), 1.0);
}
