// dxc -T vs_6_2 -E ripple -HV 2021
// A water surface: four Gerstner waves move the grid.

static const int WAVES = 4;
static const float GRAVITY = 9.81;

struct Wave {
    float2 direction;
    float steepness;
    float wavelength;
};

struct Frame {
    float4x4 view_proj;
    float3 eye;
    float time;
};

struct Water {
    Wave waves[WAVES];
    float3 deep;
    float3 shallow;
};

struct Surface {
    float4 position : SV_Position;
    float3 world : TEXCOORD0;
    float3 normal : TEXCOORD1;
};

ConstantBuffer<Frame> frame : register(b0, space0);
ConstantBuffer<Water> water : register(b1, space0);

Surface ripple(float2 place : TEXCOORD0) {
    float3 world = float3(place.x, 0.0, place.y);
    float3 tangent = float3(1.0, 0.0, 0.0);
    float3 bitangent = float3(0.0, 0.0, 1.0);
    for (int i = 0; i < WAVES; i++) {
        Wave wave = water.waves[i];
        float k = 6.28318531 / wave.wavelength;
        float2 d = normalize(wave.direction);
        float phase = k * (dot(d, place) - sqrt(GRAVITY / k) * frame.time);
        float s = wave.steepness * sin(phase);
        float c = wave.steepness * cos(phase);
        world += float3(d.x * c, s, d.y * c) / k;
        tangent += float3(-d.x * d.x * s, d.x * c, -d.x * d.y * s);
        bitangent += float3(-d.x * d.y * s, d.y * c, -d.y * d.y * s);
    }
    Surface surface;
    surface.position = mul(frame.view_proj, float4(world, 1.0));
    surface.world = world;
    surface.normal = normalize(cross(bitangent, tangent));
    return surface;
}
