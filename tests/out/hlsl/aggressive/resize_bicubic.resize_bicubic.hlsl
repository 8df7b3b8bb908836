// dxc -T cs_6_2 -E resize_bicubic -HV 2021

struct Resize {
    int2 target_size;
};

ConstantBuffer<Resize> resize : register(b1);

Texture2D source : register(t0);
RWStructuredBuffer<float4> target : register(u2);

int2 texture_size(Texture2D image, int level) {
    uint width, height, levels;
    image.GetDimensions(level, width, height, levels);
    return int2(width, height);
}

float4 kernel(float t) {
    float t2 = t * t;
    float4 powers = float4(1.0, t, t2, t2 * t);
    return mul(float4x4(float4(0.0, -0.5, 1.0, -0.5), float4(1.0, 0.0, -2.5, 1.5),
        float4(0.0, 0.5, 2.0, -1.5), float4(0.0, 0.0, -0.5, 0.5)), powers);
}

[numthreads(8, 8, 1)]
void resize_bicubic(uint3 id : SV_DispatchThreadID) {
    int2 place = int2(id.xy);
    if (place.x >= resize.target_size.x || place.y >= resize.target_size.y) {
        return;
    }
    float2 scale = float2(texture_size(source, 0)) / float2(resize.target_size);
    float2 at = (float2(place) + 0.5) * scale - 0.5;
    float2 cell = floor(at);
    float4 wx = kernel(at.x - cell.x);
    float4 wy = kernel(at.y - cell.y);
    float4 sum = (float4)0.0;
    for (int j = 0; j < 4; j++) {
        int j_minus_one = j - 1;
        float4 line_1 = (float4)0.0;
        for (int i = 0; i < 4; i++) {
            line_1 += source.Load(int3(clamp(int2(cell) + int2(i - 1, j_minus_one), (int2)0,
                texture_size(source, 0) - 1), 0)) * wx[i];
        }
        sum += line_1 * wy[j];
    }
    target[place.y * resize.target_size.x + place.x] = max(sum, 0.0);
}
