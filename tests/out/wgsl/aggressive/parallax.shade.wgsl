struct Material {
    depth: f32,
    eye: vec3<f32>,
}

@group(0) @binding(0) var<uniform> material: Material;
@group(0) @binding(1) var albedo_tex: texture_2d<f32>;
@group(0) @binding(2) var albedo_samp: sampler;
@group(0) @binding(3) var heights_tex: texture_2d<f32>;
@group(0) @binding(4) var heights_samp: sampler;

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>, @location(3) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let n = normalize(normal);
    let t = normalize(tangent.xyz - n * dot(tangent.xyz, n));
    let view = normalize((material.eye - world) * mat3x3<f32>(t, cross(n, t) * tangent.w, n));
    let dx = dpdx(uv);
    let dy = dpdy(uv);
    let layers = 32.0 + abs(view.z) * -24.0;
    let thickness = 1.0 / layers;
    let step_ = view.xy * (material.depth * thickness / max(view.z, 0.05));
    var found = 1.0 - textureSampleLevel(heights_tex, heights_samp, uv, 0.0).x;
    var p = uv;
    var layer = 0.0;
    for (var i = 0; i < 32 && layer < found; i++) {
        p -= step_;
        found = 1.0 - textureSampleLevel(heights_tex, heights_samp, p, 0.0).x;
        layer += thickness;
    }
    let after = found - layer;
    let before = 1.0 - textureSampleLevel(heights_tex, heights_samp, p + step_, 0.0).x - layer
        + thickness;
    return textureSampleGrad(albedo_tex, albedo_samp, p + after / (after - before) * step_, dx, dy);
}
