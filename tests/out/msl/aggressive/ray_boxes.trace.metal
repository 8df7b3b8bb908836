#include <metal_stdlib>

using namespace metal;

struct alignas(16) Work {
    int rays;
};

struct Node {
    float3 low;
    int left;
    float3 high;
    int right;
};

struct NodeStorage {
    packed_float3 low;
    int left;
    packed_float3 high;
    int right;
};

struct Ray {
    float3 origin;
    float reach;
    float3 direction;
};

struct RayStorage {
    packed_float3 origin;
    float reach;
    float3 direction;
};

[[max_total_threads_per_threadgroup(64)]]
kernel void trace(
    uint3 id [[thread_position_in_grid]],
    constant Work& work [[buffer(0)]],
    const device NodeStorage* nodes [[buffer(1)]],
    const device RayStorage* rays [[buffer(2)]],
    device float* distances [[buffer(3)]],
    device int* boxes [[buffer(4)]]
) {
    int me = int(id.x);
    if (me >= work.rays) {
        return;
    }
    Ray ray_1 = Ray{float3(rays[me].origin), rays[me].reach, rays[me].direction};
    float3 inverse_direction = 1.0 / ray_1.direction;
    int stack[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    int top = 1;
    float nearest = ray_1.reach;
    int found = -1;
    for (int i = 0; i < 4096 && top > 0; i++) {
        int next_top = top - 1;
        int value = stack[next_top];
        Node node = Node{float3(nodes[value].low), nodes[value].left, float3(nodes[value].high),
            nodes[value].right};
        float3 a = (node.low - ray_1.origin) * inverse_direction;
        float3 b = (node.high - ray_1.origin) * inverse_direction;
        float3 lows = min(a, b);
        float3 highs = max(a, b);
        float first = max(max(lows.x, lows.y), lows.z);
        float last = min(min(highs.x, highs.y), highs.z);
        float greatest = max(first, 0.0);
        float chosen = last >= greatest && first < nearest ? greatest : 1e30;
        if (chosen < 1e30) {
            int found_1 = node.right;
            if (node.left < 0) {
                found = chosen < nearest ? found_1 : found;
                nearest = min(chosen, nearest);
                top = next_top;
            } else {
                int next_top_1 = top + 1;
                if (next_top_1 <= 16) {
                    stack[next_top] = found_1;
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
