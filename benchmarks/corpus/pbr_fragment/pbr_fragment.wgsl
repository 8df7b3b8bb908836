// A physically based surface (metal/roughness) lit by point lights.

const PI: f32 = 3.14159265358979;
const MAX_LIGHTS = 4;

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
    lights: array<PointLight, MAX_LIGHTS>,
}

struct Material {
    albedo: vec4<f32>,
    roughness: f32,
    metallic: f32,
    normal_scale: f32,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var albedo_tex: texture_2d<f32>;
@group(1) @binding(2) var albedo_samp: sampler;
@group(1) @binding(3) var normal_tex: texture_2d<f32>;
@group(1) @binding(4) var normal_samp: sampler;
@group(1) @binding(5) var surface_tex: texture_2d<f32>;
@group(1) @binding(6) var surface_samp: sampler;

fn square(x: f32) -> f32 {
    return x * x;
}

fn distribution_ggx(n_dot_h: f32, roughness: f32) -> f32 {
    let alpha2 = square(square(roughness));
    let denominator = square(n_dot_h) * (alpha2 - 1.0) + 1.0;
    return alpha2 / (PI * square(denominator));
}

fn geometry_schlick(n_dot_x: f32, roughness: f32) -> f32 {
    let k = square(roughness + 1.0) / 8.0;
    return n_dot_x / (n_dot_x * (1.0 - k) + k);
}

fn geometry_smith(n_dot_v: f32, n_dot_l: f32, roughness: f32) -> f32 {
    return geometry_schlick(n_dot_v, roughness) * geometry_schlick(n_dot_l, roughness);
}

fn fresnel_schlick(cos_theta: f32, f0: vec3<f32>) -> vec3<f32> {
    return f0 + (1.0 - f0) * pow(clamp(1.0 - cos_theta, 0.0, 1.0), 5.0);
}

fn shading_normal(normal: vec3<f32>, tangent: vec4<f32>, uv: vec2<f32>) -> vec3<f32> {
    let n = normalize(normal);
    let t = normalize(tangent.xyz - n * dot(n, tangent.xyz));
    let b = cross(n, t) * tangent.w;
    let mapped = textureSample(normal_tex, normal_samp, uv).xyz * 2.0 - 1.0;
    return normalize(mat3x3(t, b, n) * vec3(mapped.xy * material.normal_scale, mapped.z));
}

fn attenuation(distance2: f32, radius: f32) -> f32 {
    let window = clamp(1.0 - square(distance2 / square(radius)), 0.0, 1.0);
    return square(window) / max(distance2, 0.0001);
}

fn direct_light(
    light: PointLight, world: vec3<f32>, n: vec3<f32>, v: vec3<f32>, albedo: vec3<f32>,
    roughness: f32, metallic: f32
) -> vec3<f32> {
    let to_light = light.position - world;
    let distance2 = dot(to_light, to_light);
    let l = to_light * inverseSqrt(distance2);
    let h = normalize(v + l);

    let n_dot_l = max(dot(n, l), 0.0);
    let n_dot_v = max(dot(n, v), 0.0001);
    let n_dot_h = max(dot(n, h), 0.0);

    let f0 = mix(vec3(0.04), albedo, metallic);
    let f = fresnel_schlick(max(dot(h, v), 0.0), f0);
    let d = distribution_ggx(n_dot_h, roughness);
    let g = geometry_smith(n_dot_v, n_dot_l, roughness);

    let specular = f * (d * g / max(4.0 * n_dot_v * n_dot_l, 0.001));
    let diffuse = (1.0 - f) * (1.0 - metallic) * albedo / PI;
    let radiance = light.color * (light.intensity * attenuation(distance2, light.radius));
    return (diffuse + specular) * radiance * n_dot_l;
}

fn aces_fit(x: vec3<f32>) -> vec3<f32> {
    const a = 2.51;
    const b = 0.03;
    const c = 2.43;
    const d = 0.59;
    const e = 0.14;
    return clamp((x * (a * x + b)) / (x * (c * x + d) + e), vec3(0.0), vec3(1.0));
}

@fragment
fn shade(
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec2<f32>,
) -> @location(0) vec4<f32> {
    let base = textureSample(albedo_tex, albedo_samp, uv) * material.albedo;
    let orm = textureSample(surface_tex, surface_samp, uv).rgb;
    let roughness = clamp(orm.g * material.roughness, 0.04, 1.0);
    let metallic = clamp(orm.b * material.metallic, 0.0, 1.0);

    let n = shading_normal(normal, tangent, uv);
    let v = normalize(scene.camera - world);

    var light = scene.ambient * base.rgb * orm.r;
    for (var i = 0; i < min(scene.light_count, MAX_LIGHTS); i++) {
        light += direct_light(scene.lights[i], world, n, v, base.rgb, roughness, metallic);
    }

    let mapped = aces_fit(light * scene.exposure);
    return vec4(pow(mapped, vec3(1.0 / 2.2)), base.a);
}
