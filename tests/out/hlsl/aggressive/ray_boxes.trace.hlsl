// dxc -T cs_6_2 -E trace -HV 2021

struct Node {
    float3 low;
    int left;
    float3 high;
    int right;
};

struct Work {
    int rays;
};

struct Ray {
    float3 origin;
    float reach;
    float3 direction;
    float pad_0;
};

static const int table[16] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };

ConstantBuffer<Work> work : register(b0);

StructuredBuffer<Node> nodes : register(t1);
StructuredBuffer<Ray> rays : register(t2);
RWStructuredBuffer<float> distances : register(u3);
RWStructuredBuffer<int> boxes : register(u4);

[numthreads(64, 1, 1)]
void trace(uint3 id : SV_DispatchThreadID) {
    int me = int(id.x);
    if (me >= work.rays) {
        return;
    }
    float3 origin = rays[me].origin;
    float nearest = rays[me].reach;
    float3 inverse_direction = 1.0 / rays[me].direction;
    int stack[16] = table;
    int top = 1;
    int found = -1;
    for (int i = 0; i < 4096 && top > 0; i++) {
        int next_top = top - 1;
        Node node = nodes[stack[next_top]];
        float3 a = (node.low - origin) * inverse_direction;
        float3 b = (node.high - origin) * inverse_direction;
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
