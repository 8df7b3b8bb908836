// After the vectors: matrices' relatives, packing, barriers, atomics, textures.

// ---------------------------------------------------------------- bits and packing

template <class T, class U> inline T as_type(U from) {
    static_assert(sizeof(T) == sizeof(U), "as_type between types of one size");
    T to;
    __builtin_memcpy(&to, &from, sizeof(T));
    return to;
}

template <int N> inline uint packed(vec<float, N> v, float low, float scale, int bits) {
    uint word = 0;
    for (int i = 0; i < N; i++) {
        int number = (int)rint(clamp(v[i], low, 1.0f) * scale);
        word |= ((uint)number & ((1u << bits) - 1u)) << (bits * i);
    }
    return word;
}
template <int N> inline vec<float, N> unpacked(uint word, bool sign, float scale, int bits) {
    vec<float, N> v;
    for (int i = 0; i < N; i++) {
        uint high = word << (32 - bits * (i + 1));
        v[i] = sign ? max((float)((int)high >> (32 - bits)) / scale, -1.0f)
                    : (float)(high >> (32 - bits)) / scale;
    }
    return v;
}
inline uint pack_float_to_snorm4x8(float4 v) { return packed<4>(v, -1.0f, 127.0f, 8); }
inline uint pack_float_to_unorm4x8(float4 v) { return packed<4>(v, 0.0f, 255.0f, 8); }
inline uint pack_float_to_snorm2x16(float2 v) { return packed<2>(v, -1.0f, 32767.0f, 16); }
inline uint pack_float_to_unorm2x16(float2 v) { return packed<2>(v, 0.0f, 65535.0f, 16); }
inline float4 unpack_snorm4x8_to_float(uint w) { return unpacked<4>(w, true, 127.0f, 8); }
inline float4 unpack_unorm4x8_to_float(uint w) { return unpacked<4>(w, false, 255.0f, 8); }
inline float2 unpack_snorm2x16_to_float(uint w) { return unpacked<2>(w, true, 32767.0f, 16); }
inline float2 unpack_unorm2x16_to_float(uint w) { return unpacked<2>(w, false, 65535.0f, 16); }

// ---------------------------------------------------------------- synchronisation, derivatives

enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4 };
inline void threadgroup_barrier(mem_flags) { msl_barrier(); }
inline void discard_fragment() { msl_discard(); }

// Lane 2 * y + x of a quad publishes its value, waits for the others, and reads its neighbour's.
template <class T> inline T across(T v, int axis) {
    static_assert(sizeof(T) <= 64, "a slot holds 64 bytes");
    int lane = msl_lane();
    __builtin_memcpy(msl_slot(lane), &v, sizeof(T));
    msl_barrier();
    T a, b;
    __builtin_memcpy(&a, msl_slot(lane & ~axis), sizeof(T));
    __builtin_memcpy(&b, msl_slot(lane | axis), sizeof(T));
    msl_barrier();
    return (T)(b - a);
}
template <class T> inline T dfdx(T v) { return across<T>(v, 1); }
template <class T> inline T dfdy(T v) { return across<T>(v, 2); }
template <class T> inline T fwidth(T v) {
    T x = dfdx(v), y = dfdy(v);
    return (T)(abs(x) + abs(y));
}

// ---------------------------------------------------------------- atomics

enum memory_order { memory_order_relaxed };
struct atomic_uint { uint v; };
struct atomic_int { int v; };

#define LUMA_FETCH(name, T, A, S, change)                                             \
    inline T name(volatile S A* p, T x, memory_order) { T old = p->v; p->v = change; return old; }
#define LUMA_ATOMIC(T, A, S)                                                          \
    LUMA_FETCH(atomic_exchange_explicit, T, A, S, x)                                  \
    LUMA_FETCH(atomic_fetch_add_explicit, T, A, S, old + x)                           \
    LUMA_FETCH(atomic_fetch_min_explicit, T, A, S, min(old, x))                       \
    LUMA_FETCH(atomic_fetch_max_explicit, T, A, S, max(old, x))                       \
    LUMA_FETCH(atomic_fetch_and_explicit, T, A, S, old & x)                           \
    LUMA_FETCH(atomic_fetch_or_explicit, T, A, S, old | x)                            \
    LUMA_FETCH(atomic_fetch_xor_explicit, T, A, S, old ^ x)                           \
    inline bool atomic_compare_exchange_weak_explicit(                                \
        volatile S A* p, thread T* expected, T value, memory_order, memory_order) {   \
        if (p->v != *expected) {                                                      \
            *expected = p->v;                                                         \
            return false;                                                             \
        }                                                                             \
        p->v = value;                                                                 \
        return true;                                                                  \
    }
LUMA_ATOMIC(uint, atomic_uint, device)
LUMA_ATOMIC(int, atomic_int, device)
#ifdef LUMA_STRICT
LUMA_ATOMIC(uint, atomic_uint, threadgroup)
LUMA_ATOMIC(int, atomic_int, threadgroup)
#endif

// ---------------------------------------------------------------- textures

struct sampler { int linear, mip_linear, repeat, compare; };

struct level { float value; explicit level(float l) : value(l) {} };
struct bias { float value; explicit bias(float b) : value(b) {} };
struct gradient2d { float2 x, y; gradient2d(float2 a, float2 b) : x(a), y(b) {} };
struct gradient3d { float3 x, y; gradient3d(float3 a, float3 b) : x(a), y(b) {} };
struct gradientcube { float3 x, y; gradientcube(float3 a, float3 b) : x(a), y(b) {} };

// depth counts the layers of an array and the faces of a cube; a solid's shrinks with the level.
struct image {
    float* texels[16];
    int width, height, depth, levels, solid;
    int size(int whole, int l) const { return whole >> l > 1 ? whole >> l : 1; }
    int layers(int l) const { return solid ? size(depth, l) : depth; }
};

inline int wrapped(int i, int n, bool repeat) {
    if (repeat) return ((i % n) + n) % n;
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}
inline bool compares(int how, float a, float b) {
    switch (how) {
    case 1: return a < b;
    case 2: return a <= b;
    case 3: return a > b;
    case 4: return a >= b;
    case 5: return a == b;
    case 6: return a != b;
    }
    return how == 7;
}

// One level: nearest or linear; with a reference each texel is compared before it is filtered.
struct lookup {
    const image* im;
    sampler s;
    int l;
    const float* reference;

    float4 texel(int x, int y, int z) const {
        int w = im->size(im->width, l), h = im->size(im->height, l);
        x = wrapped(x, w, s.repeat);
        y = wrapped(y, h, s.repeat);
        z = wrapped(z, im->layers(l), im->solid && s.repeat);
        const float* q = im->texels[l] + ((long)(z * h + y) * w + x) * 4;
        if (reference) return float4(compares(s.compare, *reference, q[0]) ? 1.0f : 0.0f);
        return float4(q[0], q[1], q[2], q[3]);
    }
    float4 flat(float x, float y, int z) const {
        x -= 0.5f;
        y -= 0.5f;
        int i = (int)floor(x), j = (int)floor(y);
        float a = x - i, b = y - j;
        return (texel(i, j, z) * (1 - a) + texel(i + 1, j, z) * a) * (1 - b) +
               (texel(i, j + 1, z) * (1 - a) + texel(i + 1, j + 1, z) * a) * b;
    }
    float4 at(float u, float v, float w) const {
        float x = u * im->size(im->width, l), y = v * im->size(im->height, l);
        float z = im->solid ? w * im->layers(l) : w;
        int layer = im->solid ? (int)floor(z) : (int)w;
        if (!s.linear) return texel((int)floor(x), (int)floor(y), layer);
        if (!im->solid) return flat(x, y, layer);
        z -= 0.5f;
        int k = (int)floor(z);
        float c = z - k;
        return flat(x, y, k) * (1 - c) + flat(x, y, k + 1) * c;
    }
};

inline float4 sampled(const image* im, sampler s, float3 at, float lod, const float* ref = 0) {
    lod = clamp(lod, 0.0f, (float)(im->levels - 1));
    if (!s.mip_linear) {
        int l = (int)ceil(lod + 0.5f) - 1;
        return lookup{im, s, l < 0 ? 0 : l, ref}.at(at.x, at.y, at.z);
    }
    int l = (int)lod;
    float part = lod - l;
    float4 fine = lookup{im, s, l, ref}.at(at.x, at.y, at.z);
    if (part == 0) return fine;
    return fine * (1 - part) + lookup{im, s, l + 1, ref}.at(at.x, at.y, at.z) * part;
}

template <class V> inline float footprint(V x, V y) {
    float a = dot(x, x), b = dot(y, y);
    return 0.5f * log2(a > b ? a : b);
}

// A direction as a place (0..1, 0..1) on a face ("Cubemap Textures" of the Vulkan specification).
inline float3 on_face(float3 r) {
    float x = abs(r.x), y = abs(r.y), z = abs(r.z), s, t, major;
    int face;
    if (z >= x && z >= y) {
        face = r.z < 0 ? 5 : 4, major = z, s = r.z < 0 ? -r.x : r.x, t = -r.y;
    } else if (y >= x) {
        face = r.y < 0 ? 3 : 2, major = y, s = r.x, t = r.y < 0 ? -r.z : r.z;
    } else {
        face = r.x < 0 ? 1 : 0, major = x, s = r.x < 0 ? r.z : -r.z, t = -r.y;
    }
    return float3((s / major + 1) * 0.5f, (t / major + 1) * 0.5f, (float)face);
}

template <class T> struct texture {
    image* im;
    uint get_width(uint l = 0) const { return (uint)im->size(im->width, (int)l); }
    uint get_height(uint l = 0) const { return (uint)im->size(im->height, (int)l); }
    float2 extent() const { return float2((float)im->width, (float)im->height); }
    float implicit(float2 uv) const {
        if (im->levels == 1) return 0;
        float2 place = uv * extent(), x = across(place, 1), y = across(place, 2);
        return footprint(x, y);
    }
    float lod(gradient2d g) const { return footprint(g.x * extent(), g.y * extent()); }
    float4 texel(uint x, uint y, uint z, uint l) const {
        return lookup{im, sampler{0, 0, 0, 0}, (int)l, 0}.texel((int)x, (int)y, (int)z);
    }
};

// What the host binds, as a texture.
template <class T> inline T bound(image* im) {
    T t;
    t.im = im;
    return t;
}

template <class T> struct texture2d : texture<T> {
    float4 sample(sampler s, float2 uv) const {
        return sampled(this->im, s, float3(uv, 0), this->implicit(uv));
    }
    float4 sample(sampler s, float2 uv, bias b) const {
        return sampled(this->im, s, float3(uv, 0), this->implicit(uv) + b.value);
    }
    float4 sample(sampler s, float2 uv, level l) const {
        return sampled(this->im, s, float3(uv, 0), l.value);
    }
    float4 sample(sampler s, float2 uv, gradient2d g) const {
        return sampled(this->im, s, float3(uv, 0), this->lod(g));
    }
    float4 read(uint2 at, uint l = 0) const { return this->texel(at.x, at.y, 0, l); }
};

template <class T> struct texture2d_array : texture<T> {
    uint get_array_size() const { return (uint)this->im->depth; }
    float4 sample(sampler s, float2 uv, uint layer) const {
        return sampled(this->im, s, float3(uv, (float)layer), this->implicit(uv));
    }
    float4 sample(sampler s, float2 uv, uint layer, bias b) const {
        return sampled(this->im, s, float3(uv, (float)layer), this->implicit(uv) + b.value);
    }
    float4 sample(sampler s, float2 uv, uint layer, level l) const {
        return sampled(this->im, s, float3(uv, (float)layer), l.value);
    }
    float4 sample(sampler s, float2 uv, uint layer, gradient2d g) const {
        return sampled(this->im, s, float3(uv, (float)layer), this->lod(g));
    }
    float4 read(uint2 at, uint layer, uint l = 0) const {
        return this->texel(at.x, at.y, layer, l);
    }
};

template <class T> struct texture3d : texture<T> {
    uint get_depth(uint l = 0) const { return (uint)this->im->layers((int)l); }
    float3 cube() const { return float3(this->extent(), (float)this->im->depth); }
    float around(float3 uvw) const {
        if (this->im->levels == 1) return 0;
        float3 place = uvw * cube(), x = across(place, 1), y = across(place, 2);
        return footprint(x, y);
    }
    float4 sample(sampler s, float3 at) const { return sampled(this->im, s, at, around(at)); }
    float4 sample(sampler s, float3 at, bias b) const {
        return sampled(this->im, s, at, around(at) + b.value);
    }
    float4 sample(sampler s, float3 at, level l) const { return sampled(this->im, s, at, l.value); }
    float4 sample(sampler s, float3 at, gradient3d g) const {
        return sampled(this->im, s, at, footprint(g.x * cube(), g.y * cube()));
    }
    float4 read(uint3 at, uint l = 0) const { return this->texel(at.x, at.y, at.z, l); }
};

template <class T> struct texturecube : texture<T> {
    // How far the place on the face moves for a step of the direction, in texels.
    float moved(float3 at, float3 x, float3 y) const {
        float3 here = on_face(at), a = on_face(at + x), b = on_face(at + y);
        float2 h = float2(here.x, here.y);
        float2 dx = float2(a.x, a.y) - h, dy = float2(b.x, b.y) - h;
        return footprint(dx * this->extent(), dy * this->extent());
    }
    float around(float3 at) const {
        if (this->im->levels == 1) return 0;
        float3 x = across(at, 1), y = across(at, 2);
        return moved(at, x, y);
    }
    float4 on(sampler s, float3 at, float lod, const float* reference = 0) const {
        s.repeat = 0;
        return sampled(this->im, s, on_face(at), lod, reference);
    }
    float4 sample(sampler s, float3 at) const { return on(s, at, around(at)); }
    float4 sample(sampler s, float3 at, bias b) const { return on(s, at, around(at) + b.value); }
    float4 sample(sampler s, float3 at, level l) const { return on(s, at, l.value); }
    float4 sample(sampler s, float3 at, gradientcube g) const {
        return on(s, at, moved(at, g.x, g.y));
    }
    float4 read(uint2 at, uint face, uint l = 0) const { return this->texel(at.x, at.y, face, l); }
};

template <class T> struct depth2d : texture<T> {
    float sample_compare(sampler s, float2 uv, float reference) const {
        return sampled(this->im, s, float3(uv, 0), this->implicit(uv), &reference).x;
    }
    float sample_compare(sampler s, float2 uv, float reference, level l) const {
        return sampled(this->im, s, float3(uv, 0), l.value, &reference).x;
    }
    float read(uint2 at, uint l = 0) const { return this->texel(at.x, at.y, 0, l).x; }
};

template <class T> struct depth2d_array : texture<T> {
    uint get_array_size() const { return (uint)this->im->depth; }
    float sample_compare(sampler s, float2 uv, uint layer, float reference) const {
        return sampled(this->im, s, float3(uv, (float)layer), this->implicit(uv), &reference).x;
    }
    float sample_compare(sampler s, float2 uv, uint layer, float reference, level l) const {
        return sampled(this->im, s, float3(uv, (float)layer), l.value, &reference).x;
    }
};

template <class T> struct depthcube : texturecube<T> {
    float sample_compare(sampler s, float3 at, float reference) const {
        return this->on(s, at, this->around(at), &reference).x;
    }
    float sample_compare(sampler s, float3 at, float reference, level l) const {
        return this->on(s, at, l.value, &reference).x;
    }
};
