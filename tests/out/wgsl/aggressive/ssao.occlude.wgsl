struct View {
    projection: mat4x4<f32>,
    inverse_projection: mat4x4<f32>,
    kernel: array<vec4<f32>, 16>,
    noise_scale: vec2<f32>,
    radius: f32,
    bias: f32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var depths_tex: texture_2d<f32>;
@group(0) @binding(2) var depths_samp: sampler;
@group(0) @binding(3) var normals_tex: texture_2d<f32>;
@group(0) @binding(4) var normals_samp: sampler;
@group(0) @binding(5) var noise_tex: texture_2d<f32>;
@group(0) @binding(6) var noise_samp: sampler;

fn view_position(uv: vec2<f32>) -> vec3<f32> {
    let depth = textureSampleLevel(depths_tex, depths_samp, uv, 0.0).x;
    let p = view.inverse_projection * vec4<f32>(uv * 2.0 - 1.0, depth, 1.0);
    return p.xyz * (1.0 / p.w);
}

@fragment
fn occlude(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let origin = view_position(uv);
    let normal = normalize(textureSample(normals_tex, normals_samp, uv).xyz * 2.0 - 1.0);
    let random = textureSample(noise_tex, noise_samp, uv * view.noise_scale).xyz * 2.0 - 1.0;
    let tangent = normalize(random - normal * dot(random, normal));
    let basis = mat3x3<f32>(tangent, cross(normal, tangent), normal);
    var occlusion = 0.0;
    for (var i = 0; i < 16; i++) {
        let p = origin + basis * view.kernel[i].xyz * view.radius;
        let clip = view.projection * vec4<f32>(p, 1.0);
        let found = view_position(clip.xy * (0.5 / clip.w) + 0.5).z;
        let near = smoothstep(0.0, 1.0, view.radius / max(abs(origin.z - found), 0.0001));
        occlusion = select(occlusion, occlusion + near, found >= p.z + view.bias);
    }
    return vec4<f32>(1.0 - occlusion * 0.0625, 0.0, 0.0, 1.0);
}
