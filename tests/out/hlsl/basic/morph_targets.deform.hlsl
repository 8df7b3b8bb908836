// dxc -T vs_6_2 -E deform -HV 2021

struct Morph {
    row_major float4x4 view_proj;
    float4 weights[8];
    int vertices;
};

struct Offset {
    float3 position;
    float pad_0;
    float3 normal;
    float pad_1;
};

ConstantBuffer<Morph> morph : register(b0);

StructuredBuffer<Offset> offsets : register(t1);

struct VertexOutput {
    float3 normal : TEXCOORD0;
    float4 position : SV_Position;
};

VertexOutput deform(float3 position : TEXCOORD0, float3 normal : TEXCOORD1,
    uint vertex : SV_VertexID) {
    int vertex_int = int(vertex);
    float3 position_1 = position;
    float3 normal_1 = normal;
    for (int i = 0; i < 8; i++) {
        float weight = morph.weights[i].x;
        if (weight != 0.0) {
            int sum = i * morph.vertices + vertex_int;
            position_1 += weight * offsets[sum].position;
            normal_1 += weight * offsets[sum].normal;
        }
    }
    VertexOutput output;
    output.position = mul(float4(position_1, 1.0), morph.view_proj);
    output.normal = normalize(normal_1);
    return output;
}
