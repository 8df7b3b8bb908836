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

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let albedo = pow(textureSample(albedo_map_tex, albedo_map_samp, uv).xyz, vec3<f32>(2.2));
    let surface_map_texel = textureSample(surface_map_tex, surface_map_samp, uv);
    let n = normalize(normal);
    let v = normalize(scene.camera - world);
    let metallic = surface_map_texel.z;
    let f0 = mix(vec3<f32>(0.04), albedo, metallic);
    let value = vec3<f32>((1.0 - metallic) * 0.31830987);
    let roughness = surface_map_texel.y;
    let a = roughness * roughness;
    let a2 = a * a;
    let n_dot_v = max(dot(n, v), 0.0);
    let r = roughness + 1.0;
    let k = r * r * 0.125;
    let blend = mix(k, 1.0, n_dot_v);
    let n_dot_v_times_4 = 4.0 * n_dot_v;
    var light = vec3<f32>(0.0);
    for (var i = 0; i < 4; i++) {
        let difference = scene.light_positions[i].xyz - world;
        let l = normalize(difference);
        let h = normalize(v + l);
        let value_1 = saturate(1.0 - max(dot(h, v), 0.0));
        let product = value_1 * value_1;
        let blend_1 = mix(f0, vec3<f32>(1.0), product * product * value_1);
        let n_dot_l = max(dot(n, l), 0.0);
        let n_dot_h = max(dot(n, h), 0.0);
        let denominator = mix(1.0, a2, n_dot_h * n_dot_h);
        let denominator_1 = n_dot_v_times_4 * n_dot_l + 0.0001;
        let specular = blend_1
            * (a2 * (n_dot_v * n_dot_l)
                / (3.1415927 * denominator * denominator * (blend * mix(k, 1.0, n_dot_l))
                    * denominator_1));
        light += scene.light_colors[i].xyz * ((1.0 - blend_1) * albedo * value + specular)
            * (n_dot_l / dot(difference, difference));
    }
    var color = albedo * (0.03 * surface_map_texel.x) + light;
    color /= color + 1.0;
    return vec4<f32>(pow(color, vec3<f32>(0.45454544)), 1.0);
}
