// Blinn and Phong's lighting with a normal map, under two point lights.

struct Light {
    position: vec3<f32>,
    color: vec3<f32>,
}

struct Scene {
    lights: array<Light, 2>,
    camera: vec3<f32>,
    ambient: vec3<f32>,
    shininess: f32,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(1) @binding(0) var albedo_map: texture_2d<f32>;
@group(1) @binding(1) var albedo_samp: sampler;
@group(1) @binding(2) var normal_map: texture_2d<f32>;
@group(1) @binding(3) var normal_samp: sampler;

fn shading_normal(normal: vec3<f32>, tangent: vec3<f32>, uv: vec2<f32>) -> vec3<f32> {
    let n = normalize(normal);
    let t = normalize(tangent - n * dot(tangent, n));
    let b = cross(n, t);
    let tbn = mat3x3(t, b, n);
    let mapped = textureSample(normal_map, normal_samp, uv).xyz * 2.0 - 1.0;
    return normalize(tbn * mapped);
}

fn blinn_phong(
    light: Light, world: vec3<f32>, n: vec3<f32>, v: vec3<f32>, albedo: vec4<f32>
) -> vec3<f32> {
    let l = normalize(light.position - world);
    let h = normalize(l + v);
    let reach = length(light.position - world);
    let attenuation = 1.0 / (1.0 + 0.09 * reach + 0.032 * reach * reach);
    let diffuse = max(dot(n, l), 0.0);
    let specular = pow(max(dot(n, h), 0.0), scene.shininess);
    return (albedo.rgb * diffuse + vec3(albedo.a) * specular) * light.color * attenuation;
}

@fragment
fn shade(
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec3<f32>,
    @location(3) uv: vec2<f32>,
) -> @location(0) vec4<f32> {
    let albedo = textureSample(albedo_map, albedo_samp, uv); // gloss in alpha
    let n = shading_normal(normal, tangent, uv);
    let v = normalize(scene.camera - world);
    var color = scene.ambient * albedo.rgb;
    for (var i = 0; i < 2; i++) {
        color += blinn_phong(scene.lights[i], world, n, v, albedo);
    }
    return vec4(color, 1.0);
}
