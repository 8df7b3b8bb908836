#version 450
// Boids: keep apart, fly with the neighbours, stay with the flock.

struct Boid {
    vec2 position;
    vec2 velocity;
};

layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std140) uniform Flock {
    int count;
    float dt;
    float sight;
    float personal_space;
    float cohesion;
    float separation;
    float alignment;
    float max_speed;
} flock;

layout(set = 0, binding = 1, std430) readonly buffer Before { Boid before[]; };
layout(set = 0, binding = 2, std430) writeonly buffer After { Boid after[]; };

void main() {
    int me = int(gl_GlobalInvocationID.x);
    if (me >= flock.count) {
        return;
    }

    Boid boid = before[me];
    vec2 center = vec2(0.0);
    vec2 heading = vec2(0.0);
    vec2 away = vec2(0.0);
    float seen = 0.0;
    for (int i = 0; i < flock.count; i++) {
        Boid other = before[i];
        float gap = distance(other.position, boid.position);
        if (i != me && gap < flock.sight) {
            center += other.position;
            heading += other.velocity;
            seen += 1.0;
            if (gap < flock.personal_space) {
                away -= other.position - boid.position;
            }
        }
    }

    if (seen > 0.0) {
        boid.velocity += (center / seen - boid.position) * flock.cohesion;
        boid.velocity += (heading / seen - boid.velocity) * flock.alignment;
    }
    boid.velocity += away * flock.separation;
    float speed = length(boid.velocity);
    if (speed > flock.max_speed) {
        boid.velocity *= flock.max_speed / speed;
    }
    boid.position = fract(boid.position + boid.velocity * flock.dt);
    after[me] = boid;
}
