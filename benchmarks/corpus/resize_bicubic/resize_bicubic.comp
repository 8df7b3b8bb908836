#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Image resize by the Catmull-Rom kernel: 16 texels a pixel, clamped at the border.

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 0, binding = 1, std140) uniform Resize {
    ivec2 target_size;
} resize;
layout(set = 0, binding = 2, std430) writeonly buffer Target { vec4 target[]; };

// The four weights of the Catmull-Rom kernel around a fraction 0..1.
vec4 kernel(float t) {
    vec4 powers = vec4(1.0, t, t * t, t * t * t);
    mat4 basis = mat4(
         0.0, -0.5,  1.0, -0.5,
         1.0,  0.0, -2.5,  1.5,
         0.0,  0.5,  2.0, -1.5,
         0.0,  0.0, -0.5,  0.5);
    return powers * basis;
}

vec4 texel(ivec2 place) {
    return texelFetch(source, clamp(place, ivec2(0), textureSize(source, 0) - 1), 0);
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
        vec4 line = vec4(0.0);
        for (int i = 0; i < 4; i++) {
            line += texel(ivec2(cell) + ivec2(i - 1, j - 1)) * wx[i];
        }
        sum += line * wy[j];
    }
    target[place.y * resize.target_size.x + place.x] = max(sum, 0.0);
}
