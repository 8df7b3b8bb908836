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

struct Surface {
    position: vec4<f32>,
    world: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec4<f32>,
    uv: vec2<f32>,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var albedo_tex_tex: texture_2d<f32>;
@group(1) @binding(2) var albedo_tex_samp: sampler;
@group(1) @binding(3) var normal_tex_tex: texture_2d<f32>;
@group(1) @binding(4) var normal_tex_samp: sampler;
@group(1) @binding(5) var surface_tex_tex: texture_2d<f32>;
@group(1) @binding(6) var surface_tex_samp: sampler;

fn square(x: f32) -> f32 {
    return x * x;
}

fn distribution_ggx(n_dot_h: f32, roughness: f32) -> f32 {
    let alpha2 = square(square(roughness));
    let denominator = square(n_dot_h) * (alpha2 - 1.0) + 1.0;
    return alpha2 / (3.1415927 * square(denominator));
}

fn geometry_schlick(n_dot_x: f32, roughness: f32) -> f32 {
    let k = square(roughness + 1.0) * 0.125;
    return n_dot_x / (n_dot_x * (1.0 - k) + k);
}

fn geometry_smith(n_dot_v: f32, n_dot_l: f32, roughness: f32) -> f32 {
    return geometry_schlick(n_dot_v, roughness) * geometry_schlick(n_dot_l, roughness);
}

fn fresnel_schlick(cos_theta: f32, f0: vec3<f32>) -> vec3<f32> {
    return f0 + (1.0 - f0) * pow(saturate(1.0 - cos_theta), 5.0);
}

fn aces_fit(x: vec3<f32>) -> vec3<f32> {
    return saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
}

fn shading_normal(surface: Surface) -> vec3<f32> {
    let n = normalize(surface.normal);
    let t = normalize(surface.tangent.xyz - n * dot(n, surface.tangent.xyz));
    let b = cross(n, t) * surface.tangent.w;
    var mapped = textureSample(normal_tex_tex, normal_tex_samp, surface.uv).xyz * 2.0 - 1.0;
    mapped = vec3<f32>(mapped.xy * material.normal_scale, mapped.z);
    return normalize(mat3x3<f32>(t, b, n) * mapped);
}

fn attenuation(distance2: f32, radius: f32) -> f32 {
    let window = saturate(1.0 - square(distance2 / square(radius)));
    return square(window) / max(distance2, 0.0001);
}

fn direct_light(light: PointLight, world: vec3<f32>, n: vec3<f32>, v: vec3<f32>, albedo: vec3<f32>,
    roughness: f32, metallic: f32) -> vec3<f32> {
    let to_light = light.position - world;
    let distance2 = dot(to_light, to_light);
    let l = to_light * inverseSqrt(distance2);
    let h = normalize(v + l);
    let n_dot_l = max(dot(n, l), 0.0);
    let n_dot_v = max(dot(n, v), 0.0001);
    let n_dot_h = max(dot(n, h), 0.0);
    let f0 = mix(vec3<f32>(0.04), albedo, metallic);
    let f = fresnel_schlick(max(dot(h, v), 0.0), f0);
    let d = distribution_ggx(n_dot_h, roughness);
    let g = geometry_smith(n_dot_v, n_dot_l, roughness);
    let specular = f * (d * g / max(4.0 * n_dot_v * n_dot_l, 0.001));
    let diffuse = (1.0 - f) * (1.0 - metallic) * albedo / 3.1415927;
    let radiance = light.color * (light.intensity * attenuation(distance2, light.radius));
    return (diffuse + specular) * radiance * n_dot_l;
}

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>, @location(3) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let surface = Surface(vec4<f32>(0.0), world, normal, tangent, uv);
    let base = textureSample(albedo_tex_tex, albedo_tex_samp, uv) * material.albedo;
    let surface_texel = textureSample(surface_tex_tex, surface_tex_samp, uv);
    let roughness = clamp(surface_texel.y * material.roughness, 0.04, 1.0);
    let metallic = saturate(surface_texel.z * material.metallic);
    let n = shading_normal(surface);
    let v = normalize(scene.camera - world);
    var light = scene.ambient * base.xyz * surface_texel.x;
    for (var i = 0; i < scene.light_count && i < 4; i++) {
        light += direct_light(scene.lights[i], world, n, v, base.xyz, roughness, metallic);
    }
    let mapped = aces_fit(light * scene.exposure);
    return vec4<f32>(pow(mapped, vec3<f32>(0.45454544)), base.w);
}
