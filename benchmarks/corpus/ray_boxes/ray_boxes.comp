#version 450
// The nearest of many boxes along each ray: a walk down a tree of bounding boxes.

const int STACK = 16;
const float FAR = 1e30;

struct Node {
    vec3 low;
    int left;   // a child, or -1 in a leaf
    vec3 high;
    int right;  // a child, or the box's number in a leaf
};

struct Ray {
    vec3 origin;
    float reach;
    vec3 direction;
};

layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std140) uniform Work {
    int rays;
} work;

layout(set = 0, binding = 1, std430) readonly buffer Nodes { Node nodes[]; };
layout(set = 0, binding = 2, std430) readonly buffer Rays { Ray rays[]; };
layout(set = 0, binding = 3, std430) writeonly buffer Distances { float distances[]; };
layout(set = 0, binding = 4, std430) writeonly buffer Boxes { int boxes[]; };

// Where a ray enters a box, or FAR if it misses it or something nearer is known.
float enters(Node node, vec3 origin, vec3 inverse_direction, float nearest) {
    vec3 a = (node.low - origin) * inverse_direction;
    vec3 b = (node.high - origin) * inverse_direction;
    vec3 lows = min(a, b);
    vec3 highs = max(a, b);
    float first = max(max(lows.x, lows.y), lows.z);
    float last = min(min(highs.x, highs.y), highs.z);
    if (last >= max(first, 0.0) && first < nearest) {
        return max(first, 0.0);
    }
    return FAR;
}

void main() {
    int me = int(gl_GlobalInvocationID.x);
    if (me >= work.rays) {
        return;
    }

    Ray ray = rays[me];
    vec3 inverse_direction = 1.0 / ray.direction;
    float nearest = ray.reach;
    int found = -1;

    int stack[STACK];
    stack[0] = 0;
    int top = 1;
    while (top > 0) {
        top--;
        Node node = nodes[stack[top]];
        float entered = enters(node, ray.origin, inverse_direction, nearest);
        if (entered < FAR) {
            if (node.left < 0) {
                if (entered < nearest) {
                    nearest = entered;
                    found = node.right;
                }
            } else if (top + 2 <= STACK) {
                stack[top] = node.right;
                stack[top + 1] = node.left;
                top += 2;
            }
        }
    }
    distances[me] = nearest;
    boxes[me] = found;
}
