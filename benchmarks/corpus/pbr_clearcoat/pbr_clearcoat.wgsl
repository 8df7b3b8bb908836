// Lacquered metal: a base layer (GGX) under a clear coat with a lobe of its own, three lamps.

const PI: f32 = 3.14159265359;
const LIGHTS = 3;

struct Light {
    direction: vec3<f32>,
    intensity: f32,
    color: vec3<f32>,
}

struct Scene {
    lights: array<Light, LIGHTS>,
    camera: vec3<f32>,
    ambient: vec3<f32>,
}

struct Material {
    base_color: vec3<f32>,
    roughness: f32,
    metallic: f32,
    clearcoat: f32,
    clearcoat_roughness: f32,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var flakes: texture_2d<f32>;
@group(1) @binding(2) var flakes_samp: sampler;

fn d_ggx(n_dot_h: f32, roughness: f32) -> f32 {
    let a = roughness * roughness;
    let f = (n_dot_h * a * a - n_dot_h) * n_dot_h + 1.0;
    return a * a / (PI * f * f);
}

fn v_smith(n_dot_v: f32, n_dot_l: f32, roughness: f32) -> f32 {
    let a = roughness * roughness;
    let a2 = a * a;
    let ggx_v = n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - a2) + a2);
    let ggx_l = n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - a2) + a2);
    return 0.5 / (ggx_v + ggx_l + 0.00001);
}

fn v_kelemen(l_dot_h: f32) -> f32 {
    return 0.25 / (l_dot_h * l_dot_h);
}

fn f_schlick(f0: vec3<f32>, cos_theta: f32) -> vec3<f32> {
    return f0 + (1.0 - f0) * pow(1.0 - cos_theta, 5.0);
}

fn f_schlick_coat(cos_theta: f32) -> f32 {
    return 0.04 + 0.96 * pow(1.0 - cos_theta, 5.0);
}

fn flake_normal(n: vec3<f32>, tangent: vec4<f32>, uv: vec2<f32>) -> vec3<f32> {
    let t = normalize(tangent.xyz);
    let b = normalize(cross(n, t)) * tangent.w;
    let flake = textureSample(flakes, flakes_samp, uv * 4.0).xyz * 2.0 - 1.0;
    return normalize(mat3x3(t, b, n) * normalize(flake));
}

fn shine(
    light: Light, n: vec3<f32>, coat_n: vec3<f32>, v: vec3<f32>, diffuse: vec3<f32>, f0: vec3<f32>
) -> vec3<f32> {
    let l = normalize(-light.direction);
    let h = normalize(v + l);
    let n_dot_l = clamp(dot(n, l), 0.0, 1.0);
    let n_dot_v = abs(dot(n, v)) + 0.00001;
    let n_dot_h = clamp(dot(n, h), 0.0, 1.0);
    let l_dot_h = clamp(dot(l, h), 0.001, 1.0);

    let d = d_ggx(n_dot_h, material.roughness);
    let vis = v_smith(n_dot_v, n_dot_l, material.roughness);
    let f = f_schlick(f0, l_dot_h);
    let specular = d * vis * f;
    let base = (diffuse / PI + specular) * n_dot_l;

    let coat_n_dot_h = clamp(dot(coat_n, h), 0.0, 1.0);
    let coat_n_dot_l = clamp(dot(coat_n, l), 0.0, 1.0);
    let coat_d = d_ggx(coat_n_dot_h, material.clearcoat_roughness);
    let coat_f = f_schlick_coat(l_dot_h) * material.clearcoat;
    let coat = coat_d * v_kelemen(l_dot_h) * coat_f;
    let color = base * (1.0 - coat_f) * (1.0 - coat_f) + vec3(coat * coat_n_dot_l);
    return color * light.color * light.intensity;
}

@fragment
fn shade(
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec2<f32>,
) -> @location(0) vec4<f32> {
    let coat_n = normalize(normal);
    let n = flake_normal(coat_n, tangent, uv);
    let v = normalize(scene.camera - world);
    let diffuse = material.base_color * (1.0 - material.metallic);
    let f0 = mix(vec3(0.04), material.base_color, material.metallic);

    var color = scene.ambient * (diffuse + f0);
    for (var i = 0; i < LIGHTS; i++) {
        color += shine(scene.lights[i], n, coat_n, v, diffuse, f0);
    }
    return vec4(color, 1.0);
}
