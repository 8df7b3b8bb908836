struct PointLight {
    position: vec3<f32>,
    radius: f32,
    color: vec3<f32>,
    intensity: f32,
}

struct Scene {
    camera: vec3<f32>,
    light_count: i32,
    ambient: vec3<f32>,
    exposure: f32,
    lights: array<PointLight, 4>,
}

struct Material {
    albedo: vec4<f32>,
    roughness: f32,
    metallic: f32,
    normal_scale: f32,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var albedo_tex_tex: texture_2d<f32>;
@group(1) @binding(2) var albedo_tex_samp: sampler;
@group(1) @binding(3) var normal_tex_tex: texture_2d<f32>;
@group(1) @binding(4) var normal_tex_samp: sampler;
@group(1) @binding(5) var surface_tex_tex: texture_2d<f32>;
@group(1) @binding(6) var surface_tex_samp: sampler;

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>, @location(3) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let base = textureSample(albedo_tex_tex, albedo_tex_samp, uv) * material.albedo;
    let surface_texel = textureSample(surface_tex_tex, surface_tex_samp, uv);
    let roughness = clamp(surface_texel.y * material.roughness, 0.04, 1.0);
    let metallic = saturate(surface_texel.z * material.metallic);
    var n = normalize(normal);
    let t = normalize(tangent.xyz - n * dot(n, tangent.xyz));
    let b = cross(n, t) * tangent.w;
    var mapped = textureSample(normal_tex_tex, normal_tex_samp, uv).xyz * 2.0 - 1.0;
    mapped = vec3<f32>(mapped.xy * material.normal_scale, mapped.z);
    n = normalize(mat3x3<f32>(t, b, n) * mapped);
    let v = normalize(scene.camera - world);
    var light = scene.ambient * base.xyz * surface_texel.x;
    let product = base.xyz * ((1.0 - metallic) * 0.31830987);
    let dot_n_v = dot(n, v);
    let n_dot_v = max(dot_n_v, 0.0001);
    let roughness2 = roughness * roughness;
    let alpha2 = roughness2 * roughness2;
    let roughness_plus_one = roughness + 1.0;
    let k = roughness_plus_one * roughness_plus_one * 0.125;
    let one_minus_k = 1.0 - k;
    let quotient = n_dot_v * alpha2 * 0.31830987 / (n_dot_v * one_minus_k + k);
    let product_1 = 4.0 * n_dot_v;
    let alpha2_minus_one = alpha2 - 1.0;
    let f0 = mix(vec3<f32>(0.04), base.xyz, metallic);
    let one_minus_f0 = 1.0 - f0;
    for (var i = 0; i < scene.light_count && i < 4; i++) {
        let to_light = scene.lights[i].position - world;
        let l = normalize(to_light);
        let dot_n_l = dot(n, l);
        let n_dot_l = saturate(dot_n_l);
        let dot_v_l = dot(v, l);
        let value = inverseSqrt(2.0 + 2.0 * dot_v_l);
        let n_dot_h = saturate((dot_n_v + dot_n_l) * value);
        let denominator = n_dot_h * n_dot_h * alpha2_minus_one + 1.0;
        let difference = 1.0 - saturate((1.0 + dot_v_l) * value);
        let product_2 = difference * difference;
        let f = f0 + one_minus_f0 * (product_2 * product_2 * difference);
        let distance2 = dot(to_light, to_light);
        let quotient_1 = distance2 / (scene.lights[i].radius * scene.lights[i].radius);
        let window = saturate(1.0 - quotient_1 * quotient_1);
        light += scene.lights[i].color
            * mix(product, vec3<f32>(quotient
                * (n_dot_l / ((n_dot_l * one_minus_k + k) * max(product_1 * n_dot_l, 0.001)
                    * (denominator * denominator)))), f)
            * (scene.lights[i].intensity * (window * window / max(distance2, 0.0001)) * n_dot_l);
    }
    let light_times_exposure = light * scene.exposure;
    let mapped_1 = saturate(light_times_exposure * (2.51 * light_times_exposure + 0.03)
        / (light_times_exposure * (2.43 * light_times_exposure + 0.59) + 0.14));
    return vec4<f32>(pow(mapped_1, vec3<f32>(0.45454544)), base.w);
}
