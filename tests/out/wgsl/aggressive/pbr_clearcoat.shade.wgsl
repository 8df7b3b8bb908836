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

@group(0) @binding(0) var<uniform> scene: Scene;
@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var flakes_tex: texture_2d<f32>;
@group(1) @binding(2) var flakes_samp: sampler;

fn d_ggx(n_dot_h: f32, roughness: f32) -> f32 {
    let a = roughness * roughness;
    let a2 = a * a;
    let f = (n_dot_h * a2 - n_dot_h) * n_dot_h + 1.0;
    return a2 / (3.1415927 * f * f);
}

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>, @location(3) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let coat_n = normalize(normal);
    let t = normalize(tangent.xyz);
    let b = normalize(cross(coat_n, t)) * tangent.w;
    let flake = textureSample(flakes_tex, flakes_samp, uv * 4.0).xyz * 2.0 - 1.0;
    let n = normalize(mat3x3<f32>(t, b, coat_n) * normalize(flake));
    let v = normalize(scene.camera - world);
    let one_minus_metallic = 1.0 - material.metallic;
    let diffuse = material.base_color * one_minus_metallic;
    let f0 = mix(vec3<f32>(0.04), material.base_color, material.metallic);
    var color = scene.ambient * (diffuse + f0);
    let dot_n_v = dot(n, v);
    let product = dot(normal, v) * inverseSqrt(dot(normal, normal));
    let product_1 = material.base_color * (one_minus_metallic * 0.31830987);
    let n_dot_v = abs(dot_n_v) + 0.00001;
    let a = material.roughness * material.roughness;
    let a2 = a * a;
    let one_minus_a2 = 1.0 - a2;
    let root = sqrt(n_dot_v * n_dot_v * one_minus_a2 + a2);
    let one_minus_f0 = 1.0 - f0;
    for (var i = 0; i < 3; i++) {
        let unit_direction = normalize(scene.lights[i].direction);
        let l = -unit_direction;
        let dot_n_l = dot(n, l);
        let dot_unit_direction_v = dot(unit_direction, v);
        let value = inverseSqrt(2.0 - 2.0 * dot_unit_direction_v);
        let n_dot_h = saturate((dot_n_v + dot_n_l) * value);
        let d = d_ggx(n_dot_h, material.roughness);
        let dot_coat_n_l = dot(coat_n, l);
        let coat_n_dot_h = saturate((product + dot_coat_n_l) * value);
        let coat_d = d_ggx(coat_n_dot_h, material.clearcoat_roughness);
        let n_dot_l = saturate(dot_n_l);
        let ggx_v = n_dot_l * root;
        let ggx_l = n_dot_v * sqrt(n_dot_l * n_dot_l * one_minus_a2 + a2);
        let vis = 0.5 / (0.00001 + ggx_v + ggx_l);
        let l_dot_h = clamp((1.0 - dot_unit_direction_v) * value, 0.001, 1.0);
        let difference = 1.0 - l_dot_h;
        let product_2 = difference * difference;
        let product_3 = product_2 * product_2 * difference;
        let f = f0 + one_minus_f0 * product_3;
        let specular = d * vis * f;
        let sum = 0.04 + 0.96 * product_3;
        let coat_f = sum * material.clearcoat;
        let one_minus_coat_f = 1.0 - coat_f;
        let coat_n_dot_l = saturate(dot_coat_n_l);
        color += scene.lights[i].color
            * ((product_1 + specular)
                * (n_dot_l * (one_minus_coat_f * one_minus_coat_f) * scene.lights[i].intensity)
                + material.clearcoat * coat_n_dot_l * coat_d * sum * 0.25 / (l_dot_h * l_dot_h)
                * scene.lights[i].intensity);
    }
    return vec4<f32>(color, 1.0);
}
