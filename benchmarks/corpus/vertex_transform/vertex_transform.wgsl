// What most vertex shaders do: projection, view and model, the normal matrix, fog by distance.

struct Frame {
    projection: mat4x4<f32>,
    view: mat4x4<f32>,
    model: mat4x4<f32>,
    fog_density: f32,
}

struct VertexInput {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
}

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) fog: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;

fn upper3x3(m: mat4x4<f32>) -> mat3x3<f32> {
    return mat3x3(m[0].xyz, m[1].xyz, m[2].xyz);
}

// WGSL has no inverse: the adjugate over the determinant.
fn inverse(m: mat3x3<f32>) -> mat3x3<f32> {
    let a = cross(m[1], m[2]);
    let b = cross(m[2], m[0]);
    let c = cross(m[0], m[1]);
    return transpose(mat3x3(a, b, c)) * (1.0 / dot(m[0], a));
}

@vertex
fn transform(input: VertexInput) -> VertexOutput {
    let position = vec4(input.position, 1.0);
    let world = frame.model * position;
    let eye = frame.view * frame.model * position;
    let normal_matrix = transpose(inverse(upper3x3(frame.model)));
    let reach = length(eye.xyz);
    var output: VertexOutput;
    output.position = frame.projection * frame.view * frame.model * position;
    output.world = world.xyz;
    output.normal = normalize(normal_matrix * input.normal);
    output.uv = input.uv;
    output.fog = clamp(exp(-pow(reach * frame.fog_density, 2.0)), 0.0, 1.0);
    return output;
}
