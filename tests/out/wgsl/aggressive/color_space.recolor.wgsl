struct Shift {
    count: i32,
    hue: f32,
    saturation: f32,
    value: f32,
}

@group(0) @binding(0) var<uniform> shift: Shift;
@group(0) @binding(1) var<storage, read_write> colors: array<vec4<f32>>;

@compute @workgroup_size(64)
fn recolor(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = i32(id.x);
    if (i >= shift.count) {
        return;
    }
    let color = colors[i];
    let low = color.xyz * 0.07739938;
    let high = pow((color.xyz + 0.055) * 0.94786733, vec3<f32>(2.4));
    let chosen = select(high, low, color.xyz <= vec3<f32>(0.04045));
    let high_1 = max(chosen.x, max(chosen.y, chosen.z));
    let low_1 = min(chosen.x, min(chosen.y, chosen.z));
    let range = high_1 - low_1;
    var hsv: vec3<f32>;
    if (range == 0.0) {
        hsv = vec3<f32>(0.0, 0.0, high_1);
    } else {
        let quotient = (chosen.x - chosen.y) / range;
        var hue: f32;
        if (high_1 == chosen.x) {
            hue = (chosen.y - chosen.z) / range;
        } else {
            hue = quotient + 4.0;
            if (high_1 == chosen.y) {
                hue = (chosen.z - chosen.x) / range + 2.0;
            }
        }
        hsv = vec3<f32>(fract(hue * 0.16666667), range / high_1, high_1);
    }
    let k = abs(fract(fract(hsv.x + shift.hue) + vec3<f32>(1.0, 0.6666667, 0.33333334)) * 6.0
        - 3.0);
    let product = hsv.z * shift.value
        * mix(vec3<f32>(1.0), saturate(k - 1.0), saturate(hsv.y * shift.saturation));
    let low_2 = product * 12.92;
    let high_2 = 1.055 * pow(max(product, vec3<f32>(0.0)), vec3<f32>(0.41666666)) - 0.055;
    colors[i] = vec4<f32>(select(high_2, low_2, product <= vec3<f32>(0.0031308)), color.w);
}
