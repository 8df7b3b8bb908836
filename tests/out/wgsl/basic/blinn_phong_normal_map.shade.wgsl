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

struct Surface {
    world: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
    uv: vec2<f32>,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(1) @binding(0) var albedo_map_tex: texture_2d<f32>;
@group(1) @binding(1) var albedo_map_samp: sampler;
@group(1) @binding(2) var normal_map_tex: texture_2d<f32>;
@group(1) @binding(3) var normal_map_samp: sampler;

fn shading_normal(surface: Surface) -> vec3<f32> {
    let n = normalize(surface.normal);
    let t = normalize(surface.tangent - n * dot(surface.tangent, n));
    let b = cross(n, t);
    let tbn = mat3x3<f32>(t, b, n);
    let mapped = textureSample(normal_map_tex, normal_map_samp, surface.uv).xyz * 2.0 - 1.0;
    return normalize(tbn * mapped);
}

fn blinn_phong(light: Light, world: vec3<f32>, n: vec3<f32>, v: vec3<f32>,
    albedo: vec4<f32>) -> vec3<f32> {
    let position_minus_world = light.position - world;
    let l = normalize(position_minus_world);
    let h = normalize(l + v);
    let reach = length(position_minus_world);
    let attenuation = 1.0 / (1.0 + 0.09 * reach + 0.032 * reach * reach);
    let diffuse = max(dot(n, l), 0.0);
    let specular = pow(max(dot(n, h), 0.0), scene.shininess);
    return (albedo.xyz * diffuse + albedo.w * specular) * light.color * attenuation;
}

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) tangent: vec3<f32>, @location(3) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let surface = Surface(world, normal, tangent, uv);
    let albedo = textureSample(albedo_map_tex, albedo_map_samp, uv);
    let n = shading_normal(surface);
    let v = normalize(scene.camera - world);
    var color = scene.ambient * albedo.xyz;
    for (var i = 0; i < 2; i++) {
        color += blinn_phong(scene.lights[i], world, n, v, albedo);
    }
    return vec4<f32>(color, 1.0);
}
