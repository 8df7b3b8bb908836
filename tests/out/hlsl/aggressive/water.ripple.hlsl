// dxc -T vs_6_2 -E ripple -HV 2021

struct Frame {
    row_major float4x4 view_proj;
    float3 eye;
    float time;
};

struct Wave {
    float2 direction;
    float steepness;
    float wavelength;
};

struct Water {
    Wave waves[4];
    float3 deep;
    float3 shallow;
};

ConstantBuffer<Frame> frame : register(b0);

ConstantBuffer<Water> water : register(b1);

struct VertexOutput {
    float3 world : TEXCOORD0;
    float3 normal : TEXCOORD1;
    float4 position : SV_Position;
};

VertexOutput ripple(float2 place : TEXCOORD0) {
    float3 world = float3(place.x, 0.0, place.y);
    float3 tangent = float3(1.0, 0.0, 0.0);
    float3 bitangent = float3(0.0, 0.0, 1.0);
    for (int i = 0; i < 4; i++) {
        float2 d = normalize(water.waves[i].direction);
        float k = 6.2831855 / water.waves[i].wavelength;
        float phase = k * (dot(d, place) - sqrt(water.waves[i].wavelength * 1.56131) * frame.time);
        float c = water.waves[i].steepness * cos(phase);
        float d_x_times_c = d.x * c;
        float s = water.waves[i].steepness * sin(phase);
        float d_y_times_c = d.y * c;
        world += float3(d_x_times_c, s, d_y_times_c) * (water.waves[i].wavelength * 0.15915494);
        float minus_d_x = -d.x;
        float product = minus_d_x * d.y * s;
        tangent += float3(minus_d_x * d.x * s, d_x_times_c, product);
        bitangent += float3(product, d_y_times_c, -d.y * d.y * s);
    }
    VertexOutput output;
    output.position = mul(float4(world, 1.0), frame.view_proj);
    output.world = world;
    output.normal = normalize(cross(bitangent, tangent));
    return output;
}
