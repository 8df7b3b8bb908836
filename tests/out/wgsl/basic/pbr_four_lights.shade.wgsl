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

fn distribution_ggx(n: vec3<f32>, h: vec3<f32>, roughness: f32) -> f32 {
    let a = roughness * roughness;
    let a2 = a * a;
    let n_dot_h = max(dot(n, h), 0.0);
    let denominator = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    return a2 / (3.1415927 * denominator * denominator);
}

fn geometry_schlick_ggx(n_dot_v: f32, roughness: f32) -> f32 {
    let r = roughness + 1.0;
    let k = r * r * 0.125;
    return n_dot_v / (n_dot_v * (1.0 - k) + k);
}

fn geometry_smith(n: vec3<f32>, v: vec3<f32>, l: vec3<f32>, roughness: f32) -> f32 {
    let n_dot_v = max(dot(n, v), 0.0);
    let n_dot_l = max(dot(n, l), 0.0);
    return geometry_schlick_ggx(n_dot_v, roughness) * geometry_schlick_ggx(n_dot_l, roughness);
}

fn fresnel_schlick(cos_theta: f32, f0: vec3<f32>) -> vec3<f32> {
    return f0 + (1.0 - f0) * pow(saturate(1.0 - cos_theta), 5.0);
}

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let albedo = pow(textureSample(albedo_map_tex, albedo_map_samp, uv).xyz, vec3<f32>(2.2));
    let surface_map_texel = textureSample(surface_map_tex, surface_map_samp, uv);
    let n = normalize(normal);
    let v = normalize(scene.camera - world);
    let metallic = surface_map_texel.z;
    let f0 = mix(vec3<f32>(0.04), albedo, metallic);
    let one_minus_metallic = vec3<f32>(1.0 - metallic);
    let product = 4.0 * max(dot(n, v), 0.0);
    let roughness = surface_map_texel.y;
    var light = vec3<f32>(0.0);
    for (var i = 0; i < 4; i++) {
        let difference = scene.light_positions[i].xyz - world;
        let l = normalize(difference);
        let h = normalize(v + l);
        let d = distribution_ggx(n, h, roughness);
        let g = geometry_smith(n, v, l, roughness);
        let f = fresnel_schlick(max(dot(h, v), 0.0), f0);
        let diffuse = (1.0 - f) * one_minus_metallic;
        let numerator = d * g * f;
        let n_dot_l = max(dot(n, l), 0.0);
        let denominator = product * n_dot_l + 0.0001;
        let specular = numerator / denominator;
        let reach = length(difference);
        let attenuation = 1.0 / (reach * reach);
        let radiance = scene.light_colors[i].xyz * attenuation;
        light += (diffuse * albedo / 3.1415927 + specular) * radiance * n_dot_l;
    }
    var color = 0.03 * albedo * surface_map_texel.x + light;
    color /= color + 1.0;
    return vec4<f32>(pow(color, vec3<f32>(0.45454544)), 1.0);
}
