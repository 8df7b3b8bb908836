struct Resize {
    target_size: vec2<i32>,
}

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var<uniform> resize: Resize;
@group(0) @binding(2) var<storage, read_write> target_1: array<vec4<f32>>;

fn kernel(t: f32) -> vec4<f32> {
    let t2 = t * t;
    let powers = vec4<f32>(1.0, t, t2, t2 * t);
    return powers * mat4x4<f32>(vec4<f32>(0.0, -0.5, 1.0, -0.5), vec4<f32>(1.0, 0.0, -2.5, 1.5),
        vec4<f32>(0.0, 0.5, 2.0, -1.5), vec4<f32>(0.0, 0.0, -0.5, 0.5));
}

fn texel(place: vec2<i32>) -> vec4<f32> {
    return textureLoad(source,
        clamp(place, vec2<i32>(0), vec2<i32>(textureDimensions(source, 0)) - 1), 0);
}

@compute @workgroup_size(8, 8)
fn resize_bicubic(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2<i32>(id.xy);
    if (place.x >= resize.target_size.x || place.y >= resize.target_size.y) {
        return;
    }
    let scale = vec2<f32>(textureDimensions(source, 0)) / vec2<f32>(resize.target_size);
    let at = (vec2<f32>(place) + 0.5) * scale - 0.5;
    let cell = floor(at);
    let wx = kernel(at.x - cell.x);
    let wy = kernel(at.y - cell.y);
    var sum = vec4<f32>(0.0);
    for (var j = 0; j < 4; j++) {
        let j_minus_one = j - 1;
        var line = vec4<f32>(0.0);
        for (var i = 0; i < 4; i++) {
            line += texel(vec2<i32>(cell) + vec2<i32>(i - 1, j_minus_one)) * wx[i];
        }
        sum += line * wy[j];
    }
    target_1[place.y * resize.target_size.x + place.x] = max(sum, vec4<f32>(0.0));
}
