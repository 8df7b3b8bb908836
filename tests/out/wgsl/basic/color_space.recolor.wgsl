struct Shift {
    count: i32,
    hue: f32,
    saturation: f32,
    value: f32,
}

@group(0) @binding(0) var<uniform> shift: Shift;
@group(0) @binding(1) var<storage, read_write> colors: array<vec4<f32>>;

fn linear_to_srgb(color: vec3<f32>) -> vec3<f32> {
    let low = color * 12.92;
    let high = 1.055 * pow(max(color, vec3<f32>(0.0)), vec3<f32>(0.41666666)) - 0.055;
    return select(high, low, color <= vec3<f32>(0.0031308));
}

fn srgb_to_linear(color: vec3<f32>) -> vec3<f32> {
    let low = color / 12.92;
    let high = pow((color + 0.055) / 1.055, vec3<f32>(2.4));
    return select(high, low, color <= vec3<f32>(0.04045));
}

fn rgb_to_hsv(color: vec3<f32>) -> vec3<f32> {
    let high = max(color.x, max(color.y, color.z));
    let low = min(color.x, min(color.y, color.z));
    let range = high - low;
    if (range == 0.0) {
        return vec3<f32>(0.0, 0.0, high);
    }
    let quotient = (color.x - color.y) / range;
    var hue: f32;
    if (high == color.x) {
        hue = (color.y - color.z) / range;
    } else {
        hue = quotient + 4.0;
        if (high == color.y) {
            hue = (color.z - color.x) / range + 2.0;
        }
    }
    return vec3<f32>(fract(hue / 6.0), range / high, high);
}

fn hsv_to_rgb(hsv: vec3<f32>) -> vec3<f32> {
    let k = abs(fract(hsv.x + vec3<f32>(1.0, 0.6666667, 0.33333334)) * 6.0 - 3.0);
    return hsv.z * mix(vec3<f32>(1.0), saturate(k - 1.0), hsv.y);
}

@compute @workgroup_size(64)
fn recolor(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = i32(id.x);
    if (i >= shift.count) {
        return;
    }
    let color = colors[i];
    var hsv = rgb_to_hsv(srgb_to_linear(color.xyz));
    hsv = vec3<f32>(fract(hsv.x + shift.hue), saturate(hsv.y * shift.saturation),
        hsv.z * shift.value);
    colors[i] = vec4<f32>(linear_to_srgb(hsv_to_rgb(hsv)), color.w);
}
