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
    let n = normalize(normal);
    let t = normalize(tangent.xyz - n * dot(n, tangent.xyz));
    let b = cross(n, t) * tangent.w;
    var mapped = textureSample(normal_tex_tex, normal_tex_samp, uv).xyz * 2.0 - 1.0;
    mapped = vec3<f32>(mapped.xy * material.normal_scale, mapped.z);
    let direction = normalize(mat3x3<f32>(t, b, n) * mapped);
    let v = normalize(scene.camera - world);
    var light = scene.ambient * base.xyz * surface_texel.x;
    let f0 = mix(vec3<f32>(0.04), base.xyz, metallic);
    let value = vec3<f32>((1.0 - metallic) * 0.31830987);
    let roughness_squared = roughness * roughness;
    let product = roughness_squared * roughness_squared;
    let n_dot_v = max(dot(direction, v), 0.0001);
    let roughness_plus_one = roughness + 1.0;
    let k = roughness_plus_one * roughness_plus_one * 0.125;
    let blend = mix(k, 1.0, n_dot_v);
    let n_dot_v_times_4 = 4.0 * n_dot_v;
    for (var i = 0; i < scene.light_count && i < 4; i++) {
        let to_light = scene.lights[i].position - world;
        let l = normalize(to_light);
        let h = normalize(v + l);
        let value_1 = saturate(1.0 - max(dot(h, v), 0.0));
        let product_1 = value_1 * value_1;
        let blend_1 = mix(f0, vec3<f32>(1.0), product_1 * product_1 * value_1);
        let diffuse = (1.0 - blend_1) * base.xyz * value;
        let n_dot_l = max(dot(direction, l), 0.0);
        let n_dot_h = max(dot(direction, h), 0.0);
        let denominator = mix(1.0, product, n_dot_h * n_dot_h);
        let specular = blend_1
            * (product * (n_dot_v * n_dot_l)
                / (3.1415927 * (denominator * denominator) * (blend * mix(k, 1.0, n_dot_l))
                    * max(n_dot_v_times_4 * n_dot_l, 0.001)));
        let distance2 = dot(to_light, to_light);
        let quotient = distance2 / (scene.lights[i].radius * scene.lights[i].radius);
        let window = saturate(1.0 - quotient * quotient);
        light += scene.lights[i].color * (diffuse + specular)
            * (scene.lights[i].intensity * (window * window / max(distance2, 0.0001)) * n_dot_l);
    }
    let light_times_exposure = light * scene.exposure;
    return vec4<f32>(pow(saturate(light_times_exposure * (2.51 * light_times_exposure + 0.03)
        / (light_times_exposure * (2.43 * light_times_exposure + 0.59) + 0.14)),
        vec3<f32>(0.45454544)), base.w);
}
