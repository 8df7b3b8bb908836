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
@group(0) @binding(2) var sky_tex: texture_cube<f32>;
@group(0) @binding(3) var sky_samp: sampler;

@vertex
fn ripple(@location(0) place: vec2<f32>) -> RippleOutput {
    var world = vec3<f32>(place.x, 0.0, place.y);
    var tangent = vec3<f32>(1.0, 0.0, 0.0);
    var bitangent = vec3<f32>(0.0, 0.0, 1.0);
    for (var i = 0; i < 4; i++) {
        let wave = water.waves[i];
        let k = 6.2831855 / wave.wavelength;
        let d = normalize(wave.direction);
        let phase = k * (dot(d, place) - sqrt(9.81 / k) * frame.time);
        let s = wave.steepness * sin(phase);
        let c = wave.steepness * cos(phase);
        world += vec3<f32>(d.x * c, s, d.y * c) / k;
        tangent += vec3<f32>(-d.x * d.x * s, d.x * c, -d.x * d.y * s);
        bitangent += vec3<f32>(-d.x * d.y * s, d.y * c, -d.y * d.y * s);
    }
    return RippleOutput(frame.view_proj * vec4<f32>(world, 1.0), world,
        normalize(cross(bitangent, tangent)));
}

@fragment
fn shade(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>) -> @location(0) vec4<f32> {
    let normal_1 = normalize(normal);
    let view = normalize(frame.eye - world);
    let facing = saturate(dot(normal_1, view));
    let fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    let mirrored = textureSample(sky_tex, sky_samp, reflect(-view, normal_1)).xyz;
    let body = mix(water.shallow, water.deep, facing);
    return vec4<f32>(mix(body, mirrored, fresnel), 1.0);
}
