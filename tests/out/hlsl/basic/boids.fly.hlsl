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

ConstantBuffer<Flock> flock : register(b0, space0);

StructuredBuffer<Boid> before : register(t1, space0);
RWStructuredBuffer<Boid> after : register(u2, space0);

[numthreads(64, 1, 1)]
void fly(uint3 id : SV_DispatchThreadID) {
    int me = int(id.x);
    if (me >= flock.count) {
        return;
    }
    float2 position = before[me].position;
    float2 velocity = before[me].velocity;
    Boid boid = { position, velocity };
    float2 center = (float2)0.0;
    float2 heading = (float2)0.0;
    float seen = 0.0;
    float2 away = (float2)0.0;
    for (int i = 0; i < flock.count && i < 4096; i++) {
        float2 position_1 = before[i].position;
        float2 velocity_1 = before[i].velocity;
        float gap = distance(position_1, position);
        if (i != me && gap < flock.sight) {
            if (gap < flock.personal_space) {
                away -= position_1 - position;
            }
            center += position_1;
            heading += velocity_1;
            seen += 1.0;
        }
    }
    if (seen > 0.0) {
        float2 sum = velocity + (center / seen - position) * flock.cohesion;
        boid.velocity = sum + (heading / seen - sum) * flock.alignment;
    }
    float2 sum = boid.velocity + away * flock.separation;
    boid.velocity = sum;
    float speed = length(sum);
    if (speed > flock.max_speed) {
        boid.velocity = sum * (flock.max_speed / speed);
    }
    float2 fraction = frac(boid.position + boid.velocity * flock.dt);
    boid.position = fraction;
    after[me].position = fraction;
    after[me].velocity = boid.velocity;
}
