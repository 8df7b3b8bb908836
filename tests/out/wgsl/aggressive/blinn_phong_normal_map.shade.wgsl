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
@group(1) @binding(0) var albedo_map_tex: texture_2d<f32>;
@group(1) @binding(1) var albedo_map_samp: sampler;
@group(1) @binding(2) var normal_map_tex: texture_2d<f32>;
@group(1) @binding(3) var normal_map_samp: sampler;

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) tangent: vec3<f32>, @location(3) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let albedo = textureSample(albedo_map_tex, albedo_map_samp, uv);
    var n = normalize(normal);
    let t = normalize(tangent - n * dot(tangent, n));
    let b = cross(n, t);
    let tbn = mat3x3<f32>(t, b, n);
    let mapped = textureSample(normal_map_tex, normal_map_samp, uv).xyz * 2.0 - 1.0;
    let transformed = tbn * mapped;
    n = normalize(transformed);
    let v = normalize(scene.camera - world);
    var color = scene.ambient * albedo.xyz;
    let dot_product = dot(transformed, v);
    let dot_product_1 = dot(transformed, transformed);
    for (var i = 0; i < 2; i++) {
        let position_minus_world = scene.lights[i].position - world;
        let l = normalize(position_minus_world);
        let diffuse = saturate(dot(n, l));
        let reach = length(position_minus_world);
        let attenuation = 1.0 / ((0.032 * reach + 0.09) * reach + 1.0);
        let specular = pow(saturate((dot(transformed, l) + dot_product)
            * inverseSqrt(dot_product_1 * (2.0 + 2.0 * dot(l, v)))), scene.shininess);
        color += scene.lights[i].color
            * (albedo.xyz * (diffuse * attenuation) + albedo.w * specular * attenuation);
    }
    return vec4<f32>(color, 1.0);
}
