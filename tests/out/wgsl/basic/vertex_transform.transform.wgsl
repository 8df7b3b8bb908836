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

fn inverse_mat3(m: mat3x3<f32>) -> mat3x3<f32> {
    let minor_12_12 = m[1].y * m[2].z - m[2].y * m[1].z;
    let minor_02_12 = m[0].y * m[2].z - m[2].y * m[0].z;
    let minor_01_12 = m[0].y * m[1].z - m[1].y * m[0].z;
    let determinant_m = m[0].x * minor_12_12 - m[1].x * minor_02_12 + m[2].x * minor_01_12;
    let minor_12_02 = m[1].x * m[2].z - m[2].x * m[1].z;
    let minor_02_02 = m[0].x * m[2].z - m[2].x * m[0].z;
    let minor_01_02 = m[0].x * m[1].z - m[1].x * m[0].z;
    let minor_12_01 = m[1].x * m[2].y - m[2].x * m[1].y;
    let minor_02_01 = m[0].x * m[2].y - m[2].x * m[0].y;
    let minor_01_01 = m[0].x * m[1].y - m[1].x * m[0].y;
    return mat3x3<f32>(vec3<f32>(minor_12_12, -minor_02_12, minor_01_12) / determinant_m,
        vec3<f32>(-minor_12_02, minor_02_02, -minor_01_02) / determinant_m,
        vec3<f32>(minor_12_01, -minor_02_01, minor_01_01) / determinant_m);
}

@vertex
fn transform(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>) -> TransformOutput {
    let value = vec4<f32>(position, 1.0);
    let world = frame.model * value;
    let eye = frame.view * frame.model * value;
    let reach = length(eye.xyz);
    return TransformOutput(frame.projection * frame.view * frame.model * value, world.xyz,
        normalize(normal
            * inverse_mat3(mat3x3<f32>(frame.model[0].xyz, frame.model[1].xyz,
                frame.model[2].xyz))), uv, saturate(exp(-pow(reach * frame.fog_density, 2.0))));
}
