// Boids: keep apart, fly with the neighbours, stay with the flock.

struct Boid {
    position: vec2<f32>,
    velocity: vec2<f32>,
}

struct Flock {
    count: i32,
    dt: f32,
    sight: f32,
    personal_space: f32,
    cohesion: f32,
    separation: f32,
    alignment: f32,
    max_speed: f32,
}

@group(0) @binding(0) var<uniform> flock: Flock;
@group(0) @binding(1) var<storage, read> before: array<Boid>;
@group(0) @binding(2) var<storage, read_write> after: array<Boid>;

@compute @workgroup_size(64)
fn fly(@builtin(global_invocation_id) id: vec3<u32>) {
    let me = i32(id.x);
    if (me >= flock.count) {
        return;
    }

    var boid = before[me];
    var center = vec2(0.0);
    var heading = vec2(0.0);
    var away = vec2(0.0);
    var seen = 0.0;
    for (var i = 0; i < flock.count; i++) {
        let other = before[i];
        let gap = distance(other.position, boid.position);
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
    let speed = length(boid.velocity);
    if (speed > flock.max_speed) {
        boid.velocity *= flock.max_speed / speed;
    }
    boid.position = fract(boid.position + boid.velocity * flock.dt);
    after[me] = boid;
}
