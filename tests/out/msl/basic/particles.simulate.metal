#include <metal_stdlib>

using namespace metal;

struct Particle {
    float3 position;
    float age;
    float3 velocity;
    float lifetime;
};

struct ParticleStorage {
    packed_float3 position;
    float age;
    packed_float3 velocity;
    float lifetime;
};

struct Step {
    float4 attractor;
    packed_float3 gravity;
    float dt;
    float drag;
    float bounce;
    uint count;
    uint frame;
};

static uint hash(uint seed) {
    uint state = seed * 747796405u + 2891336453u;
    uint word = ((state >> (((state >> 28u) + 4u) & 31u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

static float random(uint seed) {
    return float(hash(seed) >> 8u) * 5.9604645e-8;
}

static Particle reborn(uint index, constant Step& step_1) {
    uint seed = index * 4u + step_1.frame * 1000003u;
    return Particle{float3(random(seed), random(seed + 1u), random(seed + 2u)) * 2.0 - 1.0, 0.0,
        float3(0.0, 1.5 + random(seed + 3u), 0.0), 2.0};
}

static float3 acceleration(Particle p, constant Step& step_1) {
    float3 away = step_1.attractor.xyz - p.position;
    float3 pull = away * (step_1.attractor.w / (dot(away, away) + 0.1));
    return float3(step_1.gravity) + pull - p.velocity * step_1.drag;
}

[[max_total_threads_per_threadgroup(64)]]
kernel void simulate(
    uint3 id [[thread_position_in_grid]],
    device ParticleStorage* particles [[buffer(0)]],
    device uint& born [[buffer(1)]],
    constant Step& step_1 [[buffer(2)]]
) {
    uint i = id.x;
    if (i >= step_1.count) {
        return;
    }
    Particle p = Particle{float3(particles[i].position), particles[i].age,
        float3(particles[i].velocity), particles[i].lifetime};
    float age_plus_dt = p.age + step_1.dt;
    if (age_plus_dt > p.lifetime) {
        Particle reborn_result = reborn(i, step_1);
        particles[i].position = reborn_result.position;
        particles[i].age = reborn_result.age;
        particles[i].velocity = reborn_result.velocity;
        particles[i].lifetime = reborn_result.lifetime;
        atomic_fetch_add_explicit((device atomic_uint*)&born, 1u, memory_order_relaxed);
        return;
    }
    p.age = age_plus_dt;
    float3 sum = p.velocity + acceleration(p, step_1) * step_1.dt;
    p.velocity = sum;
    float3 sum_1 = p.position + sum * step_1.dt;
    p.position = sum_1;
    if (sum_1.y < 0.0) {
        p.position.y = -sum_1.y * step_1.bounce;
        p.velocity.y = abs(sum.y) * step_1.bounce;
    }
    particles[i].position = p.position;
    particles[i].age = p.age;
    particles[i].velocity = p.velocity;
    particles[i].lifetime = p.lifetime;
}
