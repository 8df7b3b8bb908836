#version 460 core
//! All sections at once.
//= push 8
//= member .count 0x1405 0 4 0 0 0
//= member .scale 0x1406 4 4 0 0 0
//= spec 0 3
//= set 0
//= binding 0 6 1 0 0
//= set 1
//= binding 1 3 1 1 16
//= binding 2 1 1 1 8
//= local 8 4 1

layout(local_size_x = 8, local_size_y = 4) in;
layout(constant_id = 0) const int mode = 1;
layout(push_constant) uniform Push { uint count; float scale; };
layout(set = 0, binding = 0) uniform A { vec4 a; };
layout(set = 1, binding = 1, rgba16f) uniform writeonly image2D target;
layout(set = 1, binding = 2) uniform sampler2D image;
void main() {
    vec4 c = textureLod(image, vec2(gl_GlobalInvocationID.xy) * scale, 0.0) * a;
    if (mode == 1 && count > 0u) imageStore(target, ivec2(gl_GlobalInvocationID.xy), c);
}
