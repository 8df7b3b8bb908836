struct Noise {
    offset: vec2<f32>,
    scale: f32,
}

@group(0) @binding(0) var<uniform> noise: Noise;

@fragment
fn shade(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = 0.0;
    var p = uv * noise.scale + noise.offset;
    var amplitude = 0.5;
    for (var i = 0; i < 5; i++) {
        let i_1 = floor(p);
        let a = fract(sin(dot(i_1, vec2<f32>(127.1, 311.7))) * 43758.547);
        let b = fract(sin(dot(i_1 + vec2<f32>(1.0, 0.0), vec2<f32>(127.1, 311.7))) * 43758.547);
        let f = fract(p);
        let u = f * f * (3.0 - 2.0 * f);
        let c = fract(sin(dot(i_1 + vec2<f32>(0.0, 1.0), vec2<f32>(127.1, 311.7))) * 43758.547);
        let d = fract(sin(dot(i_1 + 1.0, vec2<f32>(127.1, 311.7))) * 43758.547);
        sum += amplitude * mix(mix(a, b, u.x), mix(c, d, u.x), u.y);
        p *= 2.0;
        amplitude *= 0.5;
    }
    return vec4<f32>(0.1 + sum * 0.79999995, 0.2 + sum * 0.7, 0.4 + sum * 0.6, 1.0);
}
