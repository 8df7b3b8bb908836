// A water surface: four Gerstner waves move the grid.

const WAVES = 4;
const GRAVITY: f32 = 9.81;

struct Wave {
    direction: vec2<f32>,
    steepness: f32,
    wavelength: f32,
}

struct Frame {
    view_proj: mat4x4<f32>,
    eye: vec3<f32>,
    time: f32,
}

struct Water {
    waves: array<Wave, WAVES>,
    deep: vec3<f32>,
    shallow: vec3<f32>,
}

struct Surface {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> water: Water;

@vertex
fn ripple(@location(0) place: vec2<f32>) -> Surface {
    var world = vec3(place.x, 0.0, place.y);
    var tangent = vec3(1.0, 0.0, 0.0);
    var bitangent = vec3(0.0, 0.0, 1.0);
    for (var i = 0; i < WAVES; i++) {
        let wave = water.waves[i];
        let k = 6.28318531 / wave.wavelength;
        let d = normalize(wave.direction);
        let phase = k * (dot(d, place) - sqrt(GRAVITY / k) * frame.time);
        let s = wave.steepness * sin(phase);
        let c = wave.steepness * cos(phase);
        world += vec3(d.x * c, s, d.y * c) / k;
        tangent += vec3(-d.x * d.x * s, d.x * c, -d.x * d.y * s);
        bitangent += vec3(-d.x * d.y * s, d.y * c, -d.y * d.y * s);
    }
    var surface: Surface;
    surface.position = frame.view_proj * vec4(world, 1.0);
    surface.world = world;
    surface.normal = normalize(cross(bitangent, tangent));
    return surface;
}
