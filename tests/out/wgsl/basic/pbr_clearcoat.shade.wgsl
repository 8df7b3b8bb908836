struct Light {
    direction: vec3<f32>,
    intensity: f32,
    color: vec3<f32>,
}

struct Scene {
    lights: array<Light, 3>,
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

struct Surface {
    world: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec4<f32>,
    uv: vec2<f32>,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var flakes_tex: texture_2d<f32>;
@group(1) @binding(2) var flakes_samp: sampler;

fn d_ggx(n_dot_h: f32, roughness: f32) -> f32 {
    let a = roughness * roughness;
    let f = (n_dot_h * a * a - n_dot_h) * n_dot_h + 1.0;
    return a * a / (3.1415927 * f * f);
}

fn v_smith(n_dot_v: f32, n_dot_l: f32, roughness: f32) -> f32 {
    let a = roughness * roughness;
    let a2 = a * a;
    let one_minus_a2 = 1.0 - a2;
    let ggx_v = n_dot_l * sqrt(n_dot_v * n_dot_v * one_minus_a2 + a2);
    let ggx_l = n_dot_v * sqrt(n_dot_l * n_dot_l * one_minus_a2 + a2);
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

fn flake_normal(surface: Surface, n: vec3<f32>) -> vec3<f32> {
    let t = normalize(surface.tangent.xyz);
    let b = normalize(cross(n, t)) * surface.tangent.w;
    let flake = textureSample(flakes_tex, flakes_samp, surface.uv * 4.0).xyz * 2.0 - 1.0;
    return normalize(mat3x3<f32>(t, b, n) * normalize(flake));
}

fn shine(light: Light, n: vec3<f32>, coat_n: vec3<f32>, v: vec3<f32>, diffuse: vec3<f32>,
    f0: vec3<f32>) -> vec3<f32> {
    let l = normalize(-light.direction);
    let h = normalize(v + l);
    let n_dot_l = saturate(dot(n, l));
    let n_dot_v = abs(dot(n, v)) + 0.00001;
    let n_dot_h = saturate(dot(n, h));
    let l_dot_h = clamp(dot(l, h), 0.001, 1.0);
    let d = d_ggx(n_dot_h, material.roughness);
    let vis = v_smith(n_dot_v, n_dot_l, material.roughness);
    let f = f_schlick(f0, l_dot_h);
    let specular = d * vis * f;
    let base = (diffuse / 3.1415927 + specular) * n_dot_l;
    let coat_n_dot_h = saturate(dot(coat_n, h));
    let coat_n_dot_l = saturate(dot(coat_n, l));
    let coat_d = d_ggx(coat_n_dot_h, material.clearcoat_roughness);
    let coat_f = f_schlick_coat(l_dot_h) * material.clearcoat;
    let coat = coat_d * v_kelemen(l_dot_h) * coat_f;
    let one_minus_coat_f = vec3<f32>(1.0 - coat_f);
    let color = base * one_minus_coat_f * one_minus_coat_f + coat * coat_n_dot_l;
    return color * light.color * light.intensity;
}

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>, @location(3) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let surface = Surface(world, normal, tangent, uv);
    let coat_n = normalize(normal);
    let n = flake_normal(surface, coat_n);
    let v = normalize(scene.camera - world);
    let diffuse = material.base_color * (1.0 - material.metallic);
    let f0 = mix(vec3<f32>(0.04), material.base_color, material.metallic);
    var color = scene.ambient * (diffuse + f0);
    for (var i = 0; i < 3; i++) {
        color += shine(scene.lights[i], n, coat_n, v, diffuse, f0);
    }
    return vec4<f32>(color, 1.0);
}
