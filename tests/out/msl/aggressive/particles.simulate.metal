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

static float random(uint seed) {
    uint state = seed * 747796405u + 2891336453u;
    uint word = ((state >> (((state >> 28u) + 4u) & 31u)) ^ state) * 277803737u;
    return float(((word >> 22u) ^ word) >> 8u) * 5.9604645e-8;
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
        uint seed = i * 4u + step_1.frame * 1000003u;
        float3 difference = float3(random(seed), random(seed + 1u), random(seed + 2u)) * 2.0 - 1.0;
        float sum = 1.5 + random(seed + 3u);
        particles[i].position = difference;
        particles[i].age = 0.0;
        particles[i].velocity = float3(0.0, sum, 0.0);
        particles[i].lifetime = 2.0;
        atomic_fetch_add_explicit((device atomic_uint*)&born, 1u, memory_order_relaxed);
        return;
    }
    float3 away = step_1.attractor.xyz - p.position;
    float3 pull = away * (step_1.attractor.w / (dot(away, away) + 0.1));
    float3 sum = p.velocity
        + (float3(step_1.gravity) + pull - p.velocity * step_1.drag) * step_1.dt;
    Particle p_1 = p;
    p_1.age = age_plus_dt;
    p_1.velocity = sum;
    float3 sum_1 = p.position + sum * step_1.dt;
    p_1.position = sum_1;
    if (sum_1.y < 0.0) {
        p_1.position.y = -sum_1.y * step_1.bounce;
        p_1.velocity.y = abs(sum.y) * step_1.bounce;
    }
    particles[i].position = p_1.position;
    particles[i].age = p_1.age;
    particles[i].velocity = p_1.velocity;
    particles[i].lifetime = p_1.lifetime;
}
