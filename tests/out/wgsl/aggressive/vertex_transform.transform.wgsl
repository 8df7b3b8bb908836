struct Frame {
    projection: mat4x4<f32>,
    view: mat4x4<f32>,
    model: mat4x4<f32>,
    fog_density: f32,
}

struct TransformOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) fog: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;

@vertex
fn transform(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>) -> TransformOutput {
    let world = frame.model * vec4<f32>(position, 1.0);
    let eye = frame.view * world;
    let reach = length(eye.xyz);
    let value = cross(frame.model[1].xyz, frame.model[2].xyz);
    let product = reach * frame.fog_density;
    return TransformOutput(frame.projection * eye, world.xyz,
        normalize(mat3x3<f32>(value, cross(frame.model[2].xyz, frame.model[0].xyz),
            cross(frame.model[0].xyz, frame.model[1].xyz)) * normal
            * (1.0 / dot(frame.model[0].xyz, value))), uv, saturate(exp(-(product * product))));
}
