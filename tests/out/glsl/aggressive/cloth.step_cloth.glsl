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
    vec3 force = cloth.gravity * (1.0 / node.w);
    for (int y = -1; y < 2; y++) {
        bool y_is_not_0 = y != 0;
        int cell_y_plus_y = cell.y + y;
        bool is_below = cell_y_plus_y < 0;
        bool is_at_least = cell_y_plus_y >= cloth.size.y;
        int product = cell_y_plus_y * cloth.size.x;
        float y_float = float(y);
        for (int x = -1; x < 2; x++) {
            if (x != 0 || y_is_not_0) {
                int cell_x_plus_x = cell.x + x;
                vec3 value;
                if (cell_x_plus_x < 0 || is_below) {
                    value = vec3(0.0);
                } else if (cell_x_plus_x >= cloth.size.x || is_at_least) {
                    value = vec3(0.0);
                } else {
                    vec3 across = now[product + cell_x_plus_x].xyz - node.xyz;
                    float reach = max(length(across), 0.00001);
                    float rest = cloth.rest * length(vec2(float(x), y_float));
                    value = across * ((reach - rest) / reach * cloth.stiffness);
                }
                force += value;
            }
        }
    }
    vec3 velocity = (node.xyz - last[i].xyz) * (1.0 - cloth.damping);
    vec3 moved = node.xyz + velocity + force * (node.w * cloth.dt * cloth.dt);
    next[i] = vec4(moved, node.w);
}
