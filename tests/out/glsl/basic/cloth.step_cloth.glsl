#version 450

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 0, std140) uniform Cloth {
    ivec2 size;
    vec3 gravity;
    float dt;
    float rest;
    float stiffness;
    float damping;
} cloth;

layout(binding = 1, std430) buffer Now {
    vec4 now[];
};

layout(binding = 2, std430) buffer Last {
    vec4 last[];
};

layout(binding = 3, std430) writeonly buffer Next {
    vec4 next[];
};

vec3 pull(vec3 place, ivec2 neighbour, float rest) {
    if (neighbour.x < 0 || neighbour.y < 0) {
        return vec3(0.0);
    }
    if (neighbour.x >= cloth.size.x || neighbour.y >= cloth.size.y) {
        return vec3(0.0);
    }
    vec3 across = now[neighbour.y * cloth.size.x + neighbour.x].xyz - place;
    float reach = max(length(across), 0.00001);
    return across * ((reach - rest) / reach * cloth.stiffness);
}

void main() {
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    if (cell.x >= cloth.size.x || cell.y >= cloth.size.y) {
        return;
    }
    int i = cell.y * cloth.size.x + cell.x;
    vec4 node = now[i];
    if (node.w == 0.0) {
        next[i] = node;
        return;
    }
    vec3 force = cloth.gravity / node.w;
    for (int y = -1; y < 2; y++) {
        bool y_is_not_0 = y != 0;
        float y_float = float(y);
        for (int x = -1; x < 2; x++) {
            if (x != 0 || y_is_not_0) {
                float rest = cloth.rest * length(vec2(float(x), y_float));
                force += pull(node.xyz, cell + ivec2(x, y), rest);
            }
        }
    }
    vec3 velocity = (node.xyz - last[i].xyz) * (1.0 - cloth.damping);
    vec3 moved = node.xyz + velocity + force * (node.w * cloth.dt * cloth.dt);
    next[i] = vec4(moved, node.w);
}
