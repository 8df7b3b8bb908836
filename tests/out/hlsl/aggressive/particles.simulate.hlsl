// dxc -T cs_6_2 -E simulate -HV 2021

struct Particle {
    float3 position;
    float age;
    float3 velocity;
    float lifetime;
};

struct Step {
    float4 attractor;
    float3 gravity;
    float dt;
    float drag;
    float bounce;
    uint count;
    uint frame;
};

#ifdef __spirv__
[[vk::push_constant]]
#endif
ConstantBuffer<Step> step_1 : register(b0, space1);

RWStructuredBuffer<Particle> particles : register(u0);
RWByteAddressBuffer born : register(u1);

float random(uint seed) {
    uint state = seed * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return float(((word >> 22u) ^ word) >> 8u) * 5.9604645e-8;
}

[numthreads(64, 1, 1)]
void simulate(uint3 id : SV_DispatchThreadID) {
    uint i = id.x;
    if (i >= step_1.count) {
        return;
    }
    Particle p = particles[i];
    float age_plus_dt = p.age + step_1.dt;
    if (age_plus_dt > p.lifetime) {
        uint seed = i * 4u + step_1.frame * 1000003u;
        particles[i].position = float3(random(seed), random(seed + 1u), random(seed + 2u)) * 2.0
            - 1.0;
        particles[i].age = 0.0;
        particles[i].velocity = float3(0.0, 1.5 + random(seed + 3u), 0.0);
        particles[i].lifetime = 2.0;
        born.InterlockedAdd(0, 1u);
        return;
    }
    float3 away = step_1.attractor.xyz - p.position;
    float3 pull = away * (step_1.attractor.w / (dot(away, away) + 0.1));
    float3 sum = p.velocity + (step_1.gravity + pull - p.velocity * step_1.drag) * step_1.dt;
    Particle p_1 = p;
    p_1.age = age_plus_dt;
    p_1.velocity = sum;
    float3 sum_1 = p.position + sum * step_1.dt;
    p_1.position = sum_1;
    if (sum_1.y < 0.0) {
        p_1.position.y = -sum_1.y * step_1.bounce;
        p_1.velocity.y = abs(sum.y) * step_1.bounce;
    }
    particles[i] = p_1;
}
