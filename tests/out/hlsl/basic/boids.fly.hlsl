// dxc -T cs_6_2 -E fly -HV 2021

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

ConstantBuffer<Flock> flock : register(b0);

StructuredBuffer<Boid> before : register(t1);
RWStructuredBuffer<Boid> after : register(u2);

[numthreads(64, 1, 1)]
void fly(uint3 id : SV_DispatchThreadID) {
    int me = int(id.x);
    if (me >= flock.count) {
        return;
    }
    Boid boid = before[me];
    float2 center = (float2)0.0;
    float2 heading = (float2)0.0;
    float seen = 0.0;
    float2 away = (float2)0.0;
    for (int i = 0; i < flock.count && i < 4096; i++) {
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
        float2 sum = boid.velocity + (center / seen - boid.position) * flock.cohesion;
        boid.velocity = sum + (heading / seen - sum) * flock.alignment;
    }
    float2 sum = boid.velocity + away * flock.separation;
    boid.velocity = sum;
    float speed = length(sum);
    if (speed > flock.max_speed) {
        boid.velocity = sum * (flock.max_speed / speed);
    }
    boid.position = frac(boid.position + boid.velocity * flock.dt);
    after[me] = boid;
}
