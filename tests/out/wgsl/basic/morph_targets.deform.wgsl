struct Morph {
    view_proj: mat4x4<f32>,
    weights: array<vec4<f32>, 8>,
    vertices: i32,
}

struct Offset {
    position: vec3<f32>,
    normal: vec3<f32>,
}

struct DeformOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
}

@group(0) @binding(0) var<uniform> morph: Morph;
@group(0) @binding(1) var<storage, read> offsets: array<Offset>;

@vertex
fn deform(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>,
    @builtin(vertex_index) vertex_index: u32) -> DeformOutput {
    let vertex_index_int = i32(vertex_index);
    var position_1 = position;
    var normal_1 = normal;
    for (var i = 0; i < 8; i++) {
        let weight = morph.weights[i].x;
        if (weight != 0.0) {
            let offset = offsets[i * morph.vertices + vertex_index_int];
            position_1 += weight * offset.position;
            normal_1 += weight * offset.normal;
        }
    }
    return DeformOutput(morph.view_proj * vec4<f32>(position_1, 1.0), normalize(normal_1));
}
