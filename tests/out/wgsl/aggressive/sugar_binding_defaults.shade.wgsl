struct Uniforms {
    scale: vec3<f32>,
    offset: vec2<f32>,
}

struct Light {
    direction: vec3<f32>,
    intensity: f32,
}

@group(0) @binding(0) var<uniform> uniforms: Uniforms;
@group(0) @binding(1) var material_tex_tex: texture_2d<f32>;
@group(0) @binding(2) var material_tex_samp: sampler;
@group(1) @binding(0) var<storage, read_write> lights: array<Light, 16>;
@group(0) @binding(3) var<uniform> ambient: vec3<f32>;
@group(0) @binding(10) var<uniform> exposure: f32;
@group(0) @binding(11) var<uniform> tint: vec4<f32>;
@group(1) @binding(1) var<uniform> light_count: i32;

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let albedo = textureSample(material_tex_tex, material_tex_samp,
        uv * uniforms.scale.xy + uniforms.offset);
    var total = ambient;
    for (var i = 0; i < light_count && i < 16; i++) {
        total += max(lights[i].direction.z, 0.0) * lights[i].intensity * vec3<f32>(1.0, 0.5, 0.25);
    }
    return vec4<f32>(albedo.xyz * exposure * total, uniforms.scale.z) * tint;
}
