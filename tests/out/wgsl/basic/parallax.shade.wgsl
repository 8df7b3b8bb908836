struct Material {
    depth: f32,
    eye: vec3<f32>,
}

@group(0) @binding(0) var<uniform> material: Material;
@group(0) @binding(1) var albedo_tex: texture_2d<f32>;
@group(0) @binding(2) var albedo_samp: sampler;
@group(0) @binding(3) var heights_tex: texture_2d<f32>;
@group(0) @binding(4) var heights_samp: sampler;

fn depth_at(uv: vec2<f32>) -> f32 {
    return 1.0 - textureSampleLevel(heights_tex, heights_samp, uv, 0.0).x;
}

fn displaced(uv: vec2<f32>, view: vec3<f32>) -> vec2<f32> {
    let layers = mix(32.0, 8.0, abs(view.z));
    let thickness = 1.0 / layers;
    let step_ = view.xy / max(view.z, 0.05) * (material.depth * thickness);
    var found = depth_at(uv);
    var p = uv;
    var layer = 0.0;
    for (var i = 0; i < 32 && layer < found; i++) {
        p -= step_;
        found = depth_at(p);
        layer += thickness;
    }
    let after = found - layer;
    let p_plus_step = p + step_;
    let before = depth_at(p_plus_step) - layer + thickness;
    return mix(p, p_plus_step, after / (after - before));
}

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>, @location(3) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let n = normalize(normal);
    let t = normalize(tangent.xyz - n * dot(tangent.xyz, n));
    let view = normalize((material.eye - world) * mat3x3<f32>(t, cross(n, t) * tangent.w, n));
    let dx = dpdx(uv);
    let dy = dpdy(uv);
    return textureSampleGrad(albedo_tex, albedo_samp, displaced(uv, view), dx, dy);
}
