#version 450

layout(local_size_x = 32, local_size_y = 1, local_size_z = 1) in;

layout(set = 0, binding = 0, std140) uniform Stage {
    int size;
    int stride;
    float direction;
} stage;

layout(set = 0, binding = 1, std430) readonly buffer BeforeBuffer {
    vec2 before[];
};

layout(set = 0, binding = 2, std430) writeonly buffer AfterBuffer {
    vec2 after[];
};

void main() {
    int i = int(gl_GlobalInvocationID.x);
    int half_size = stage.size / 2;
    if (i >= half_size) {
        return;
    }
    int row = int(gl_GlobalInvocationID.y) * stage.size;
    int k = i - stage.stride * (i / stage.stride);
    float angle = stage.direction * 6.2831855 * float(k) / float(2 * stage.stride);
    float cos_angle = cos(angle);
    float sin_angle = sin(angle);
    int row_plus_i = row + i;
    vec2 even = before[row_plus_i];
    vec2 before_element = before[row_plus_i + half_size];
    vec2 value = vec2(before_element.x * cos_angle - before_element.y * sin_angle,
        before_element.x * sin_angle + before_element.y * cos_angle);
    int first = i / stage.stride * 2 * stage.stride + k;
    int row_plus_first = row + first;
    after[row_plus_first] = even + value;
    after[row_plus_first + stage.stride] = even - value;
}
