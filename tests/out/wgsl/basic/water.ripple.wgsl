struct Frame {
    view_proj: mat4x4<f32>,
    eye: vec3<f32>,
    time: f32,
}

struct Wave {
    direction: vec2<f32>,
    steepness: f32,
    wavelength: f32,
}

struct Water {
    waves: array<Wave, 4>,
    deep: vec3<f32>,
    shallow: vec3<f32>,
}

struct RippleOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> water: Water;

@vertex
fn ripple(@location(0) place: vec2<f32>) -> RippleOutput {
    var world = vec3<f32>(place.x, 0.0, place.y);
    var tangent = vec3<f32>(1.0, 0.0, 0.0);
    var bitangent = vec3<f32>(0.0, 0.0, 1.0);
    for (var i = 0; i < 4; i++) {
        let d = normalize(water.waves[i].direction);
        let k = 6.2831855 / water.waves[i].wavelength;
        let phase = k * (dot(d, place) - sqrt(9.81 / k) * frame.time);
        let c = water.waves[i].steepness * cos(phase);
        let d_x_times_c = d.x * c;
        let s = water.waves[i].steepness * sin(phase);
        let d_y_times_c = d.y * c;
        world += vec3<f32>(d_x_times_c, s, d_y_times_c) / k;
        let minus_d_x = -d.x;
        let product = minus_d_x * d.y * s;
        tangent += vec3<f32>(minus_d_x * d.x * s, d_x_times_c, product);
        bitangent += vec3<f32>(product, d_y_times_c, -d.y * d.y * s);
    }
    return RippleOutput(frame.view_proj * vec4<f32>(world, 1.0), world,
        normalize(cross(bitangent, tangent)));
}
