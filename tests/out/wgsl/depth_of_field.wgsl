struct Lens {
    texel: vec2<f32>,
    focal_length: f32,
    aperture: f32,
    focus: f32,
    max_radius: f32,
    near: f32,
    far: f32,
}

struct FullscreenOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@group(0) @binding(0) var<uniform> lens: Lens;
@group(0) @binding(1) var colors_tex: texture_2d<f32>;
@group(0) @binding(2) var colors_samp: sampler;
@group(0) @binding(3) var depths_tex: texture_2d<f32>;
@group(0) @binding(4) var depths_samp: sampler;

@vertex
fn fullscreen(@builtin(vertex_index) vertex_index: u32) -> FullscreenOutput {
    let index = i32(vertex_index);
    let corner = vec2<f32>(f32((index << 1u) & 2), f32(index & 2));
    return FullscreenOutput(vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0), corner);
}

fn linear_depth(depth: f32) -> f32 {
    return lens.near * lens.far / (lens.far - depth * (lens.far - lens.near));
}

fn circle_of_confusion(distance_: f32) -> f32 {
    let f = lens.focal_length;
    let blur = lens.aperture * f * (distance_ - lens.focus) / (distance_ * (lens.focus - f));
    return clamp(blur, -1.0, 1.0) * lens.max_radius;
}

@fragment
fn confuse(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let depth = linear_depth(textureSample(depths_tex, depths_samp, uv).x);
    return vec4<f32>(textureSample(colors_tex, colors_samp, uv).xyz, circle_of_confusion(depth));
}

@fragment
fn gather(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let center = textureSample(colors_tex, colors_samp, uv);
    var sum = center.xyz;
    var total = 1.0;
    for (var i = 1; i < 32; i++) {
        let angle = f32(i) * 2.3999631;
        let reach = lens.max_radius * sqrt(f32(i) / 32.0);
        let offset = vec2<f32>(cos(angle), sin(angle)) * reach;
        let found = textureSampleLevel(colors_tex, colors_samp, uv + offset * lens.texel, 0.0);
        var size = found.w;
        if (found.w > center.w) {
            size = clamp(found.w, 0.0, abs(center.w) * 2.0);
        }
        let weight = smoothstep(reach - 0.5, reach + 0.5, abs(size));
        sum += mix(sum / total, found.xyz, weight);
        total += 1.0;
    }
    return vec4<f32>(sum / total, 1.0);
}
