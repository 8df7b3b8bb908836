#version 450
// One step of a particle system: gravity, drag, an attractor, a floor that bounces, and rebirth.

struct Particle {
    vec3 position;
    float age;
    vec3 velocity;
    float lifetime;
};

layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) buffer Particles { Particle particles[]; };
layout(set = 0, binding = 1, std430) buffer Born { uint born; };

layout(push_constant, std430) uniform Step {
    vec4 attractor; // xyz place, w strength
    vec3 gravity;
    float dt;
    float drag;
    float bounce;
    uint count;
    uint frame;
} step_;

// PCG hash: one round, good enough for sparks.
uint hash(uint seed) {
    uint state = seed * 747796405 + 2891336453;
    uint word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737;
    return (word >> 22) ^ word;
}

float random(uint seed) {
    return float(hash(seed) >> 8) / 16777216.0;
}

Particle reborn(uint index) {
    uint seed = index * 4 + step_.frame * 1000003;
    vec3 position = vec3(random(seed), random(seed + 1), random(seed + 2)) * 2.0 - 1.0;
    vec3 velocity = vec3(0.0, 1.5 + random(seed + 3), 0.0);
    return Particle(position, 0.0, velocity, 2.0);
}

vec3 acceleration(Particle p) {
    vec3 away = step_.attractor.xyz - p.position;
    vec3 pull = away * (step_.attractor.w / (dot(away, away) + 0.1));
    return step_.gravity + pull - p.velocity * step_.drag;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= step_.count) {
        return;
    }

    Particle p = particles[i];
    p.age += step_.dt;
    if (p.age > p.lifetime) {
        particles[i] = reborn(i);
        atomicAdd(born, 1);
        return;
    }

    p.velocity += acceleration(p) * step_.dt;
    p.position += p.velocity * step_.dt;
    if (p.position.y < 0.0) {
        p.position.y = -p.position.y * step_.bounce;
        p.velocity.y = abs(p.velocity.y) * step_.bounce;
    }
    particles[i] = p;
}
