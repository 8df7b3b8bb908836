#version 450

layout(local_size_x = 64) in;

struct Particle {
    vec3 position;
    float age;
    vec3 velocity;
    float lifetime;
};

layout(binding = 0, std430) buffer Particles {
    Particle particles[];
};

layout(binding = 1, std430) buffer Born {
    uint born;
};

layout(push_constant, std430) uniform Step {
    vec4 attractor;
    vec3 gravity;
    float dt;
    float drag;
    float bounce;
    uint count;
    uint frame;
} step_1;

uint hash(uint seed) {
    uint state = seed * 747796405u + 2891336453u;
    uint word = ((state >> (((state >> 28u) + 4u) & 31u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

float random(uint seed) {
    return float(hash(seed) >> 8u) * 5.9604645e-8;
}

Particle reborn(uint index) {
    uint seed = index * 4u + step_1.frame * 1000003u;
    return Particle(vec3(random(seed), random(seed + 1u), random(seed + 2u)) * 2.0 - 1.0, 0.0,
        vec3(0.0, 1.5 + random(seed + 3u), 0.0), 2.0);
}

vec3 acceleration(Particle p) {
    vec3 away = step_1.attractor.xyz - p.position;
    vec3 pull = away * (step_1.attractor.w / (dot(away, away) + 0.1));
    return step_1.gravity + pull - p.velocity * step_1.drag;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= step_1.count) {
        return;
    }
    Particle p = particles[i];
    float age_plus_dt = p.age + step_1.dt;
    if (age_plus_dt > p.lifetime) {
        particles[i] = reborn(i);
        atomicAdd(born, 1u);
        return;
    }
    p.age = age_plus_dt;
    vec3 sum = p.velocity + acceleration(p) * step_1.dt;
    p.velocity = sum;
    vec3 sum_1 = p.position + sum * step_1.dt;
    p.position = sum_1;
    if (sum_1.y < 0.0) {
        p.position.y = -sum_1.y * step_1.bounce;
        p.velocity.y = abs(sum.y) * step_1.bounce;
    }
    particles[i] = p;
}
