#version 450

layout(local_size_x = 64) in;

struct Node {
    vec3 low;
    int left;
    vec3 high;
    int right;
};

struct Ray {
    vec3 origin;
    float reach;
    vec3 direction;
};

layout(binding = 0, std140) uniform Work {
    int rays;
} work;

layout(binding = 1, std430) readonly buffer Nodes {
    Node nodes[];
};

layout(binding = 2, std430) readonly buffer Rays {
    Ray rays[];
};

layout(binding = 3, std430) writeonly buffer Distances {
    float distances[];
};

layout(binding = 4, std430) writeonly buffer Boxes {
    int boxes[];
};

float enters(Node node, vec3 origin, vec3 inverse_direction, float nearest) {
    vec3 a = (node.low - origin) * inverse_direction;
    vec3 b = (node.high - origin) * inverse_direction;
    vec3 lows = min(a, b);
    vec3 highs = max(a, b);
    float first = max(max(lows.x, lows.y), lows.z);
    float last = min(min(highs.x, highs.y), highs.z);
    float greatest = max(first, 0.0);
    if (last >= greatest && first < nearest) {
        return greatest;
    }
    return 1e30;
}

void main() {
    int me = int(gl_GlobalInvocationID.x);
    if (me >= work.rays) {
        return;
    }
    Ray ray = rays[me];
    vec3 inverse_direction = 1.0 / ray.direction;
    int stack[16] = int[16](0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    int top = 1;
    float nearest = ray.reach;
    int found = -1;
    for (int i = 0; i < 4096 && top > 0; i++) {
        int next_top = top - 1;
        Node node = nodes[stack[next_top]];
        float entered = enters(node, ray.origin, inverse_direction, nearest);
        if (entered < 1e30) {
            int next_found = node.right;
            if (node.left < 0) {
                if (entered < nearest) {
                    nearest = entered;
                    found = next_found;
                }
                top = next_top;
            } else {
                int next_top_1 = top + 1;
                if (next_top_1 <= 16) {
                    stack[next_top] = next_found;
                    stack[top] = node.left;
                    top = next_top_1;
                } else {
                    top = next_top;
                }
            }
        } else {
            top = next_top;
        }
    }
    distances[me] = nearest;
    boxes[me] = found;
}
