// dxc -T cs_6_2 -E blur -HV 2021

struct Image {
    int2 size;
};

#ifdef __spirv__
[[vk::constant_id(0)]] const bool VERTICAL = false;
#else
static const bool VERTICAL = false;
#endif

static const float WEIGHTS[5] = { 0.227027, 0.1945946, 0.1216216, 0.054054, 0.016216 };

ConstantBuffer<Image> image : register(b0, space0);

StructuredBuffer<float4> source : register(t1, space0);
RWStructuredBuffer<float4> target : register(u2, space0);

groupshared float4 row[40];

[numthreads(32, 1, 1)]
void blur(uint3 local : SV_GroupThreadID, uint3 group : SV_GroupID) {
    int lane = int(local.x);
    int first = int(group.x) * 32;
    int line_1 = int(group.y);
    int2 axis = VERTICAL ? int2(0, 1) : int2(1, 0);
    int2 across = axis.yx * line_1;
    int lane_plus_4 = lane + 4;
    int first_plus_lane = first + lane;
    int2 place = axis * first_plus_lane + across;
    int2 size_minus_one = image.size - 1;
    int2 p = clamp(place, (int2)0, size_minus_one);
    row[lane_plus_4] = source[p.y * image.size.x + p.x];
    if (lane < 4) {
        int2 p_1 = clamp(axis * (first_plus_lane - 4) + across, (int2)0, size_minus_one);
        row[lane] = source[p_1.y * image.size.x + p_1.x];
        p_1 = clamp(axis * (first_plus_lane + 32) + across, (int2)0, size_minus_one);
        row[lane_plus_4 + 32] = source[p_1.y * image.size.x + p_1.x];
    }
    GroupMemoryBarrierWithGroupSync();
    float4 sum = row[lane_plus_4] * 0.227027;
    for (int i = 1; i < 5; i++) {
        sum += (row[lane_plus_4 - i] + row[lane_plus_4 + i]) * WEIGHTS[i];
    }
    if (place.x < image.size.x && place.y < image.size.y) {
        target[place.y * image.size.x + place.x] = sum;
    }
}
