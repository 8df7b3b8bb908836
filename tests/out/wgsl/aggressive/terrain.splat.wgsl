struct Terrain {
    view_proj: mat4x4<f32>,
    to_sun: vec3<f32>,
    height: f32,
    origin: vec2<f32>,
    size: vec2<f32>,
    texel: f32,
    tiling: f32,
    contrast: f32,
}

@group(0) @binding(0) var<uniform> terrain: Terrain;
@group(0) @binding(3) var weights_tex: texture_2d<f32>;
@group(0) @binding(4) var weights_samp: sampler;
@group(0) @binding(5) var albedo_tex: texture_2d_array<f32>;
@group(0) @binding(6) var albedo_samp: sampler;

@fragment
fn splat(@location(0) uv: vec2<f32>, @location(1) normal: vec3<f32>) -> @location(0) vec4<f32> {
    let weight = textureSample(weights_tex, weights_samp, uv);
    var share = array<f32, 4>(weight.x, weight.y, weight.z, weight.w);
    let uv_times_tiling = uv * terrain.tiling;
    var color = vec3<f32>(0.0);
    var total = 0.0;
    for (var layer = 0; layer < 4; layer++) {
        let value = vec3<f32>(uv_times_tiling, f32(layer));
        let ground = textureSample(albedo_tex, albedo_samp, value.xy, i32(round(value.z)));
        let strength = pow(share[layer] * (ground.w + 0.01), terrain.contrast);
        color += ground.xyz * strength;
        total += strength;
    }
    let sun = max(dot(normal, terrain.to_sun) * inverseSqrt(dot(normal, normal)), 0.0);
    return vec4<f32>(color * ((0.2 + 0.8 * sun) / max(total, 0.0001)), 1.0);
}
