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
    return float(hash(seed) >> 8u) / 16777216.0;
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
    float t = p.age + step_1.dt;
    p.age = t;
    if (t > p.lifetime) {
        Particle t_1 = reborn(i, step_1);
        particles[i].position = t_1.position;
        particles[i].age = t_1.age;
        particles[i].velocity = t_1.velocity;
        particles[i].lifetime = t_1.lifetime;
        atomic_fetch_add_explicit((device atomic_uint*)&born, 1u, memory_order_relaxed);
        return;
    }
    float3 t_1 = p.velocity + acceleration(p, step_1) * step_1.dt;
    p.velocity = t_1;
    float3 t_2 = p.position + t_1 * step_1.dt;
    p.position = t_2;
    if (t_2.y < 0.0) {
        p.position.y = -t_2.y * step_1.bounce;
        p.velocity.y = abs(p.velocity.y) * step_1.bounce;
    }
    particles[i].position = p.position;
    particles[i].age = p.age;
    particles[i].velocity = p.velocity;
    particles[i].lifetime = p.lifetime;
}
