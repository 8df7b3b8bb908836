#version 450
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 1, std140) uniform Resize {
    ivec2 target_size;
} resize;

layout(binding = 2, std430) writeonly buffer Target {
    vec4 target[];
};

layout(binding = 0) uniform texture2D source;

vec4 kernel(float t) {
    float t2 = t * t;
    vec4 powers = vec4(1.0, t, t2, t2 * t);
    return powers * mat4(vec4(0.0, -0.5, 1.0, -0.5), vec4(1.0, 0.0, -2.5, 1.5),
        vec4(0.0, 0.5, 2.0, -1.5), vec4(0.0, 0.0, -0.5, 0.5));
}

void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (place.x >= resize.target_size.x || place.y >= resize.target_size.y) {
        return;
    }
    vec2 scale = vec2(textureSize(source, 0)) / vec2(resize.target_size);
    vec2 at = (vec2(place) + 0.5) * scale - 0.5;
    vec2 cell = floor(at);
    vec4 wx = kernel(at.x - cell.x);
    vec4 wy = kernel(at.y - cell.y);
    vec4 sum = vec4(0.0);
    for (int j = 0; j < 4; j++) {
        int j_minus_one = j - 1;
        vec4 line = vec4(0.0);
        for (int i = 0; i < 4; i++) {
            line += texelFetch(source,
                clamp(ivec2(cell) + ivec2(i - 1, j_minus_one), ivec2(0),
                    textureSize(source, 0) - 1), 0) * wx[i];
        }
        sum += line * wy[j];
    }
    target[place.y * resize.target_size.x + place.x] = max(sum, 0.0);
}
