#version 450

layout(local_size_x = 64) in;

layout(binding = 0, std140) uniform Shift {
    int count;
    float hue;
    float saturation;
    float value;
} shift;

layout(binding = 1, std430) buffer Colors {
    vec4 colors[];
};

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= shift.count) {
        return;
    }
    vec4 color = colors[i];
    vec3 low = color.xyz * 0.07739938;
    vec3 high = pow((color.xyz + 0.055) * 0.94786733, vec3(2.4));
    vec3 chosen = mix(high, low, lessThanEqual(color.xyz, vec3(0.04045)));
    float high_1 = max(chosen.x, max(chosen.y, chosen.z));
    float low_1 = min(chosen.x, min(chosen.y, chosen.z));
    float range = high_1 - low_1;
    vec3 hsv;
    if (range == 0.0) {
        hsv = vec3(0.0, 0.0, high_1);
    } else {
        float quotient = (chosen.x - chosen.y) / range;
        float hue;
        if (high_1 == chosen.x) {
            hue = (chosen.y - chosen.z) / range;
        } else {
            hue = quotient + 4.0;
            if (high_1 == chosen.y) {
                hue = (chosen.z - chosen.x) / range + 2.0;
            }
        }
        hsv = vec3(fract(hue * 0.16666667), range / high_1, high_1);
    }
    vec3 k = abs(fract(fract(hsv.x + shift.hue) + vec3(1.0, 0.6666667, 0.33333334)) * 6.0 - 3.0);
    vec3 product = hsv.z * shift.value
        * mix(vec3(1.0), clamp(k - 1.0, 0.0, 1.0), clamp(hsv.y * shift.saturation, 0.0, 1.0));
    vec3 low_2 = product * 12.92;
    vec3 high_2 = 1.055 * pow(max(product, 0.0), vec3(0.41666666)) - 0.055;
    colors[i] = vec4(mix(high_2, low_2, lessThanEqual(product, vec3(0.0031308))), color.w);
}
