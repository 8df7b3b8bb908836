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

struct LiftOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) normal: vec3<f32>,
}

@group(0) @binding(0) var<uniform> terrain: Terrain;
@group(0) @binding(1) var heights_tex: texture_2d<f32>;
@group(0) @binding(2) var heights_samp: sampler;

@vertex
fn lift(@location(0) cell: vec2<f32>) -> LiftOutput {
    let value = vec2<f32>(terrain.texel, 0.0);
    let value_1 = vec2<f32>(0.0, terrain.texel);
    let texel_times_2 = 2.0 * terrain.texel;
    let place = terrain.origin + cell * terrain.size;
    return LiftOutput(terrain.view_proj
        * vec4<f32>(place.x,
            textureSampleLevel(heights_tex, heights_samp, cell, 0.0).x * terrain.height, place.y,
            1.0), cell, normalize(vec3<f32>(terrain.height
                * (textureSampleLevel(heights_tex, heights_samp, cell - value, 0.0).x
                    - textureSampleLevel(heights_tex, heights_samp, cell + value, 0.0).x)
                / (texel_times_2 * terrain.size.x), 1.0,
                terrain.height * (textureSampleLevel(heights_tex, heights_samp, cell - value_1,
                    0.0).x - textureSampleLevel(heights_tex, heights_samp, cell + value_1, 0.0).x)
                / (texel_times_2 * terrain.size.y))));
}
