// dxc -T vs_6_2 -E transform -HV 2021

struct Frame {
    row_major float4x4 projection;
    row_major float4x4 view;
    row_major float4x4 model;
    float fog_density;
};

ConstantBuffer<Frame> frame : register(b0);

struct VertexOutput {
    float3 world : TEXCOORD0;
    float3 normal : TEXCOORD1;
    float2 uv : TEXCOORD2;
    float fog : TEXCOORD3;
    float4 position : SV_Position;
};

VertexOutput transform(float3 position : TEXCOORD0, float3 normal : TEXCOORD1,
    float2 uv : TEXCOORD2) {
    float4 world = mul(float4(position, 1.0), frame.model);
    float4 eye = mul(world, frame.view);
    float reach = length(eye.xyz);
    float3 value = cross(frame.model[1].xyz, frame.model[2].xyz);
    float product = reach * frame.fog_density;
    VertexOutput output;
    output.position = mul(eye, frame.projection);
    output.world = world.xyz;
    output.normal =
        normalize(mul(normal,
            float3x3(value, cross(frame.model[2].xyz, frame.model[0].xyz),
                cross(frame.model[0].xyz, frame.model[1].xyz)))
            * (1.0 / dot(frame.model[0].xyz, value)));
    output.uv = uv;
    output.fog = saturate(exp(-(product * product)));
    return output;
}
