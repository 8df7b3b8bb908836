#version 450

struct Hit {
    bool found;
    ivec3 cell;
    vec3 normal;
};

layout(binding = 0, std140) uniform Scene {
    mat4 to_world;
    vec3 eye;
    ivec3 size;
    vec3 to_sun;
} scene;

layout(binding = 1, std430) readonly buffer Voxels {
    uint voxels[];
};

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

vec2 slabs(vec3 origin, vec3 inverse_direction, vec3 size) {
    vec3 a = -origin * inverse_direction;
    vec3 b = (size - origin) * inverse_direction;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    return vec2(max(max(near.x, near.y), max(near.z, 0.0)), min(far.x, min(far.y, far.z)));
}

uint voxel_at(ivec3 cell) {
    return voxels[(cell.z * scene.size.y + cell.y) * scene.size.x + cell.x];
}

bool outside(ivec3 cell) {
    return any(lessThan(cell, ivec3(0))) || any(greaterThanEqual(cell, scene.size));
}

Hit trace(vec3 origin, vec3 direction) {
    Hit miss = Hit(false, ivec3(0), vec3(0.0));
    vec3 inverse_direction = 1.0 / direction;
    vec2 span = slabs(origin, inverse_direction, vec3(scene.size));
    if (span.x >= span.y) {
        return miss;
    }
    vec3 start = origin + direction * (span.x + 0.0001);
    ivec3 cell = ivec3(floor(start));
    ivec3 forward = ivec3(sign(direction));
    vec3 delta = abs(inverse_direction);
    vec3 edge = vec3(cell) + step(0.0, direction);
    vec3 next = (edge - start) * inverse_direction;
    vec3 next_normal = vec3(-float(forward.x), 0.0, 0.0);
    vec3 next_normal_1 = vec3(0.0, -float(forward.y), 0.0);
    vec3 next_normal_2 = vec3(0.0, 0.0, -float(forward.z));
    vec3 normal = vec3(0.0);
    for (int _i = 0; _i < 128; _i++) {
        if (outside(cell)) {
            return miss;
        }
        if (voxel_at(cell) != 0u) {
            return Hit(true, cell, normal);
        }
        if (next.x < next.y && next.x < next.z) {
            cell.x += forward.x;
            next.x += delta.x;
            normal = next_normal;
        } else if (next.y < next.z) {
            cell.y += forward.y;
            next.y += delta.y;
            normal = next_normal_1;
        } else {
            cell.z += forward.z;
            next.z += delta.z;
            normal = next_normal_2;
        }
    }
    return miss;
}

void main() {
    vec4 far = scene.to_world * vec4(uv * 2.0 - 1.0, 1.0, 1.0);
    vec3 direction = normalize(far.xyz / far.w - scene.eye);
    Hit hit = trace(scene.eye, direction);
    if (!hit.found) {
        color = vec4(mix(vec3(0.8, 0.9, 1.0), vec3(0.3, 0.5, 0.9), direction.y), 1.0);
        return;
    }
    uint packed = voxel_at(hit.cell);
    float light = 0.3 + 0.7 * max(dot(hit.normal, scene.to_sun), 0.0);
    color = vec4(unpackUnorm4x8(packed).xyz * light, 1.0);
}
