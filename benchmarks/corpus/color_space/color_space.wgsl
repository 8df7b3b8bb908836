// Between colour spaces: sRGB to linear light, hue, saturation and value, and back.

struct Shift {
    count: i32,
    hue: f32,
    saturation: f32,
    value: f32,
}

@group(0) @binding(0) var<uniform> shift: Shift;
@group(0) @binding(1) var<storage, read_write> colors: array<vec4<f32>>;

fn srgb_to_linear(color: vec3<f32>) -> vec3<f32> {
    let low = color / 12.92;
    let high = pow((color + 0.055) / 1.055, vec3(2.4));
    return select(high, low, color <= vec3(0.04045));
}

fn linear_to_srgb(color: vec3<f32>) -> vec3<f32> {
    let low = color * 12.92;
    let high = 1.055 * pow(max(color, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return select(high, low, color <= vec3(0.0031308));
}

fn rgb_to_hsv(color: vec3<f32>) -> vec3<f32> {
    let high = max(color.r, max(color.g, color.b));
    let low = min(color.r, min(color.g, color.b));
    let range = high - low;
    if (range == 0.0) {
        return vec3(0.0, 0.0, high);
    }

    var hue = (color.r - color.g) / range + 4.0;
    if (high == color.r) {
        hue = (color.g - color.b) / range;
    } else if (high == color.g) {
        hue = (color.b - color.r) / range + 2.0;
    }
    return vec3(fract(hue / 6.0), range / high, high);
}

fn hsv_to_rgb(hsv: vec3<f32>) -> vec3<f32> {
    let k = abs(fract(hsv.x + vec3(1.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0);
    return hsv.z * mix(vec3(1.0), clamp(k - 1.0, vec3(0.0), vec3(1.0)), hsv.y);
}

@compute @workgroup_size(64)
fn recolor(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = i32(id.x);
    if (i >= shift.count) {
        return;
    }
    var hsv = rgb_to_hsv(srgb_to_linear(colors[i].rgb));
    hsv.x = fract(hsv.x + shift.hue);
    hsv.y = clamp(hsv.y * shift.saturation, 0.0, 1.0);
    hsv.z *= shift.value;
    colors[i] = vec4(linear_to_srgb(hsv_to_rgb(hsv)), colors[i].a);
}
