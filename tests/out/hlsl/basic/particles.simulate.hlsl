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

Particle make_Particle(float3 position, float age, float3 velocity, float lifetime) {
    Particle made = { position, age, velocity, lifetime };
    return made;
}

uint hash(uint seed) {
    uint state = seed * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

float random(uint seed) {
    return float(hash(seed) >> 8u) * 5.9604645e-8;
}

Particle reborn(uint index) {
    uint seed = index * 4u + step_1.frame * 1000003u;
    return make_Particle(float3(random(seed), random(seed + 1u), random(seed + 2u)) * 2.0 - 1.0,
        0.0, float3(0.0, 1.5 + random(seed + 3u), 0.0), 2.0);
}

float3 acceleration(Particle p) {
    float3 away = step_1.attractor.xyz - p.position;
    float3 pull = away * (step_1.attractor.w / (dot(away, away) + 0.1));
    return step_1.gravity + pull - p.velocity * step_1.drag;
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
        particles[i] = reborn(i);
        born.InterlockedAdd(0, 1u);
        return;
    }
    p.age = age_plus_dt;
    float3 sum = p.velocity + acceleration(p) * step_1.dt;
    p.velocity = sum;
    float3 sum_1 = p.position + sum * step_1.dt;
    p.position = sum_1;
    if (sum_1.y < 0.0) {
        p.position.y = -sum_1.y * step_1.bounce;
        p.velocity.y = abs(sum.y) * step_1.bounce;
    }
    particles[i] = p;
}
