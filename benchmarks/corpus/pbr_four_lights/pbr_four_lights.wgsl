// Metal and roughness (Cook-Torrance with GGX) under four point lights.

const PI: f32 = 3.14159265359;

struct Scene {
    light_positions: array<vec4<f32>, 4>,
    light_colors: array<vec4<f32>, 4>,
    camera: vec3<f32>,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(1) @binding(0) var albedo_map: texture_2d<f32>;
@group(1) @binding(1) var albedo_samp: sampler;
@group(1) @binding(2) var surface_map: texture_2d<f32>; // occlusion, roughness, metallic
@group(1) @binding(3) var surface_samp: sampler;

fn distribution_ggx(n: vec3<f32>, h: vec3<f32>, roughness: f32) -> f32 {
    let a = roughness * roughness;
    let a2 = a * a;
    let n_dot_h = max(dot(n, h), 0.0);
    let denominator = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    return a2 / (PI * denominator * denominator);
}

fn geometry_schlick_ggx(n_dot_v: f32, roughness: f32) -> f32 {
    let r = roughness + 1.0;
    let k = r * r / 8.0;
    return n_dot_v / (n_dot_v * (1.0 - k) + k);
}

fn geometry_smith(n: vec3<f32>, v: vec3<f32>, l: vec3<f32>, roughness: f32) -> f32 {
    let n_dot_v = max(dot(n, v), 0.0);
    let n_dot_l = max(dot(n, l), 0.0);
    return geometry_schlick_ggx(n_dot_v, roughness) * geometry_schlick_ggx(n_dot_l, roughness);
}

fn fresnel_schlick(cos_theta: f32, f0: vec3<f32>) -> vec3<f32> {
    return f0 + (1.0 - f0) * pow(clamp(1.0 - cos_theta, 0.0, 1.0), 5.0);
}

@fragment
fn shade(
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
) -> @location(0) vec4<f32> {
    let albedo = pow(textureSample(albedo_map, albedo_samp, uv).rgb, vec3(2.2));
    let orm = textureSample(surface_map, surface_samp, uv).rgb;
    let roughness = orm.g;
    let metallic = orm.b;

    let n = normalize(normal);
    let v = normalize(scene.camera - world);
    let f0 = mix(vec3(0.04), albedo, metallic);

    var light = vec3(0.0);
    for (var i = 0; i < 4; i++) {
        let l = normalize(scene.light_positions[i].xyz - world);
        let h = normalize(v + l);
        let reach = length(scene.light_positions[i].xyz - world);
        let attenuation = 1.0 / (reach * reach);
        let radiance = scene.light_colors[i].rgb * attenuation;

        let d = distribution_ggx(n, h, roughness);
        let g = geometry_smith(n, v, l, roughness);
        let f = fresnel_schlick(max(dot(h, v), 0.0), f0);

        let numerator = d * g * f;
        let denominator = 4.0 * max(dot(n, v), 0.0) * max(dot(n, l), 0.0) + 0.0001;
        let specular = numerator / denominator;

        let diffuse = (1.0 - f) * (1.0 - metallic);
        let n_dot_l = max(dot(n, l), 0.0);
        light += (diffuse * albedo / PI + specular) * radiance * n_dot_l;
    }

    var color = vec3(0.03) * albedo * orm.r + light;
    color = color / (color + 1.0);
    return vec4(pow(color, vec3(1.0 / 2.2)), 1.0);
}
