struct Work {
    rays: i32,
}

struct Node {
    low: vec3<f32>,
    left: i32,
    high: vec3<f32>,
    right: i32,
}

struct Ray {
    origin: vec3<f32>,
    reach: f32,
    direction: vec3<f32>,
}

@group(0) @binding(0) var<uniform> work: Work;
@group(0) @binding(1) var<storage, read> nodes: array<Node>;
@group(0) @binding(2) var<storage, read> rays: array<Ray>;
@group(0) @binding(3) var<storage, read_write> distances: array<f32>;
@group(0) @binding(4) var<storage, read_write> boxes: array<i32>;

@compute @workgroup_size(64)
fn trace(@builtin(global_invocation_id) id: vec3<u32>) {
    let me = i32(id.x);
    if (me >= work.rays) {
        return;
    }
    let ray = rays[me];
    let inverse_direction = 1.0 / ray.direction;
    var stack = array<i32, 16>(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    var top = 1;
    var nearest = ray.reach;
    var found = -1;
    for (var i = 0; i < 4096 && top > 0; i++) {
        let next_top = top - 1;
        let node = nodes[stack[next_top]];
        let a = (node.low - ray.origin) * inverse_direction;
        let b = (node.high - ray.origin) * inverse_direction;
        let lows = min(a, b);
        let highs = max(a, b);
        let first = max(max(lows.x, lows.y), lows.z);
        let last = min(min(highs.x, highs.y), highs.z);
        let greatest = max(first, 0.0);
        let chosen = select(1e30, greatest, last >= greatest && first < nearest);
        if (chosen < 1e30) {
            let found_1 = node.right;
            if (node.left < 0) {
                found = select(found, found_1, (chosen < nearest));
                nearest = min(chosen, nearest);
                top = next_top;
            } else {
                let next_top_1 = top + 1;
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
