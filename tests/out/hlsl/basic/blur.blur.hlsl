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

ConstantBuffer<Image> image : register(b0);

StructuredBuffer<float4> source : register(t1);
RWStructuredBuffer<float4> target : register(u2);

groupshared float4 row[40];

float4 fetch(int2 place) {
    int2 p = clamp(place, (int2)0, image.size - 1);
    return source[p.y * image.size.x + p.x];
}

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
    row[lane_plus_4] = fetch(place);
    if (lane < 4) {
        row[lane] = fetch(axis * (first_plus_lane - 4) + across);
        row[lane_plus_4 + 32] = fetch(axis * (first_plus_lane + 32) + across);
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
