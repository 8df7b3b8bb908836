// dxc -T cs_6_2 -E fly -HV 2021
// Boids: keep apart, fly with the neighbours, stay with the flock.

struct Boid {
    float2 position;
    float2 velocity;
};

struct Flock {
    int count;
    float dt;
    float sight;
    float personal_space;
    float cohesion;
    float separation;
    float alignment;
    float max_speed;
};

ConstantBuffer<Flock> flock : register(b0, space0);

StructuredBuffer<Boid> before : register(t1, space0);
RWStructuredBuffer<Boid> after : register(u2, space0);

[numthreads(64, 1, 1)]
void fly(uint3 id : SV_DispatchThreadID) {
    int me = int(id.x);
    if (me >= flock.count) {
        return;
    }

    Boid boid = before[me];
    float2 center = 0.0;
    float2 heading = 0.0;
    float2 away = 0.0;
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
    boid.position = frac(boid.position + boid.velocity * flock.dt);
    after[me] = boid;
}
