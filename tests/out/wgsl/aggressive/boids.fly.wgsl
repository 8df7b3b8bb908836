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

struct Boid {
    position: vec2<f32>,
    velocity: vec2<f32>,
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
    let least = min(flock.count, 4096);
    var center = vec2<f32>(0.0);
    var heading = vec2<f32>(0.0);
    var seen = 0.0;
    var away = vec2<f32>(0.0);
    for (var i = 0; i < least; i++) {
        let other = before[i];
        let gap = distance(other.position, boid.position);
        if (i != me && gap < flock.sight) {
            center += other.position;
            heading += other.velocity;
            seen += 1.0;
            away = select(away, away - (other.position - boid.position),
                (gap < flock.personal_space));
        }
    }
    if (seen > 0.0) {
        let inverse_seen = vec2<f32>(1.0 / seen);
        boid.velocity =
            mix(boid.velocity + (center * inverse_seen - boid.position) * flock.cohesion,
                heading * inverse_seen, flock.alignment);
    }
    let sum = boid.velocity + away * flock.separation;
    boid.velocity = sum;
    let speed = length(sum);
    if (speed > flock.max_speed) {
        boid.velocity = sum * (flock.max_speed / speed);
    }
    boid.position = fract(boid.position + boid.velocity * flock.dt);
    after[me] = boid;
}
