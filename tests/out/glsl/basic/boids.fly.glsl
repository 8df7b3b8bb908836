#version 450
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 64) in;

struct Boid {
    vec2 position;
    vec2 velocity;
};

layout(binding = 0, std140) uniform Flock {
    int count;
    float dt;
    float sight;
    float personal_space;
    float cohesion;
    float separation;
    float alignment;
    float max_speed;
} flock;

layout(binding = 1, std430) readonly buffer Before {
    Boid before[];
};

layout(binding = 2, std430) writeonly buffer After {
    Boid after[];
};

void main() {
    int me = int(gl_GlobalInvocationID.x);
    if (me >= flock.count) {
        return;
    }
    Boid boid = before[me];
    vec2 center = vec2(0.0);
    vec2 heading = vec2(0.0);
    float seen = 0.0;
    vec2 away = vec2(0.0);
    [[unroll]] for (int i = 0; i < flock.count && i < 4096; i++) {
        Boid other = before[i];
        float gap = distance(other.position, boid.position);
        if (i != me && gap < flock.sight) {
            if (gap < flock.personal_space) {
                away -= other.position - boid.position;
            }
            center += other.position;
            heading += other.velocity;
            seen += 1.0;
        }
    }
    if (seen > 0.0) {
        vec2 sum = boid.velocity + (center / seen - boid.position) * flock.cohesion;
        boid.velocity = sum + (heading / seen - sum) * flock.alignment;
    }
    vec2 sum = boid.velocity + away * flock.separation;
    boid.velocity = sum;
    float speed = length(sum);
    if (speed > flock.max_speed) {
        boid.velocity = sum * (flock.max_speed / speed);
    }
    boid.position = fract(boid.position + boid.velocity * flock.dt);
    after[me] = boid;
}
