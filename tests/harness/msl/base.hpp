// Before the vectors: MSL's words for address spaces and functions, its scalars and scalar maths.
// Written from the Metal Shading Language specification, version 2.4.
#pragma once
#pragma clang system_header

#ifdef LUMA_STRICT  // C++ for OpenCL, which checks address spaces
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define device __global
#define constant const __global
#define thread __private
#define threadgroup __local
// Words of OpenCL that are none of MSL.
#define global luma_global
#define local luma_local
#define generic luma_generic
#define pipe luma_pipe
#define read_only luma_read_only
#define write_only luma_write_only
#define read_write luma_read_write
#define atomic_int luma_atomic_int
#define atomic_uint luma_atomic_uint
#else
#define device
#define constant const
#define thread
#define threadgroup
typedef _Float16 half;
inline half operator""h(long double v) { return (half)v; }
#endif
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
#define INFINITY __builtin_inff()
#define vertex
#define fragment
#define kernel

extern "C" {
void msl_barrier();
int msl_lane();
void* msl_slot(int lane);
void msl_discard();
}

namespace metal {

template <bool B, class T = void> struct enabled {};
template <class T> struct enabled<true, T> { typedef T type; };

template <class T> struct is_arithmetic { static constexpr bool value = false; };
#define LUMA_ARITHMETIC(T) \
    template <> struct is_arithmetic<T> { static constexpr bool value = true; };
LUMA_ARITHMETIC(bool) LUMA_ARITHMETIC(char) LUMA_ARITHMETIC(uchar) LUMA_ARITHMETIC(short)
LUMA_ARITHMETIC(ushort) LUMA_ARITHMETIC(int) LUMA_ARITHMETIC(uint) LUMA_ARITHMETIC(long)
LUMA_ARITHMETIC(ulong) LUMA_ARITHMETIC(half) LUMA_ARITHMETIC(float)

// ---------------------------------------------------------------- scalar functions

#define LUMA_EACH(name, builtin)                         \
    inline float name(float a) { return builtin(a); }    \
    inline half name(half a) { return (half)builtin((float)a); }
LUMA_EACH(sin, __builtin_sinf) LUMA_EACH(cos, __builtin_cosf) LUMA_EACH(tan, __builtin_tanf)
LUMA_EACH(asin, __builtin_asinf) LUMA_EACH(acos, __builtin_acosf) LUMA_EACH(atan, __builtin_atanf)
LUMA_EACH(sinh, __builtin_sinhf) LUMA_EACH(cosh, __builtin_coshf) LUMA_EACH(tanh, __builtin_tanhf)
LUMA_EACH(exp, __builtin_expf) LUMA_EACH(exp2, __builtin_exp2f) LUMA_EACH(log, __builtin_logf)
LUMA_EACH(log2, __builtin_log2f) LUMA_EACH(sqrt, __builtin_sqrtf)
LUMA_EACH(floor, __builtin_floorf) LUMA_EACH(ceil, __builtin_ceilf)
LUMA_EACH(trunc, __builtin_truncf) LUMA_EACH(rint, __builtin_rintf)
LUMA_EACH(round, __builtin_roundf) LUMA_EACH(fabs, __builtin_fabsf)
LUMA_EACH(abs, __builtin_fabsf)

#define LUMA_PAIR(name, builtin)                                            \
    inline float name(float a, float b) { return builtin(a, b); }           \
    inline half name(half a, half b) { return (half)builtin((float)a, (float)b); }
LUMA_PAIR(pow, __builtin_powf) LUMA_PAIR(atan2, __builtin_atan2f)
LUMA_PAIR(fmod, __builtin_fmodf) LUMA_PAIR(min, __builtin_fminf) LUMA_PAIR(max, __builtin_fmaxf)

// x below zero, and zero or infinity with y zero, have no value ("Accuracy", table of powr).
inline float powr(float x, float y) {
    return x < 0.0f || (x == 0.0f && y == 0.0f) ? __builtin_nanf("") : __builtin_powf(x, y);
}
inline half powr(half x, half y) { return (half)powr((float)x, (float)y); }

#define LUMA_REAL(T)                                                                          \
    inline T rsqrt(T a) { return (T)(1.0f / __builtin_sqrtf((float)a)); }                     \
    inline T fract(T a) { return (T)__builtin_fminf((float)(a - floor(a)), 0x1.fffffep-1f); } \
    inline T saturate(T a) { return min(max(a, (T)0), (T)1); }                                \
    inline T sign(T a) { return a > (T)0 ? (T)1 : a < (T)0 ? (T)-1 : a == (T)0 ? a : (T)0; }  \
    inline T step(T edge, T a) { return a < edge ? (T)0 : (T)1; }                             \
    inline T clamp(T a, T low, T high) { return min(max(a, low), high); }                     \
    inline T mix(T a, T b, T t) { return (T)(a + (b - a) * t); }                              \
    inline T fma(T a, T b, T c) { return (T)__builtin_fmaf((float)a, (float)b, (float)c); }   \
    inline T smoothstep(T low, T high, T a) {                                                 \
        T t = saturate((T)((a - low) / (high - low)));                                        \
        return (T)(t * t * ((T)3 - (T)2 * t));                                                \
    }                                                                                         \
    inline bool isnan(T a) { return a != a; }                                                 \
    inline bool isinf(T a) { return __builtin_isinf((float)a); }
LUMA_REAL(float) LUMA_REAL(half)

#define LUMA_INTEGER(T)                                                            \
    inline T min(T a, T b) { return b < a ? b : a; }                               \
    inline T max(T a, T b) { return a < b ? b : a; }                               \
    inline T clamp(T a, T low, T high) { return min(max(a, low), high); }          \
    inline T popcount(T a) { return (T)__builtin_popcount((uint)a); }              \
    inline T clz(T a) { return a ? (T)__builtin_clz((uint)a) : (T)32; }            \
    inline T ctz(T a) { return a ? (T)__builtin_ctz((uint)a) : (T)32; }            \
    inline T reverse_bits(T a) { return (T)__builtin_bitreverse32((uint)a); }
LUMA_INTEGER(int) LUMA_INTEGER(uint)
inline int abs(int a) { return a < 0 ? -a : a; }

template <class T> inline T select(T a, T b, bool c) { return c ? b : a; }

template <class T, int N> struct vec;

// Components of a vector in some order: what they are read as, and written through.
template <class T, int N, int... I> struct swizzle {
    typedef vec<T, sizeof...(I)> whole;
    T data[N == 3 ? 4 : N];
    whole get() const { return whole(data[I]...); }
    swizzle& operator=(const whole& v) {
        const int at[] = {I...};
        const whole copy = v;
        for (int i = 0; i < (int)sizeof...(I); i++) data[at[i]] = copy[i];
        return *this;
    }
    swizzle& operator+=(const whole& v) { return *this = get() + v; }
    swizzle& operator-=(const whole& v) { return *this = get() - v; }
    swizzle& operator*=(const whole& v) { return *this = get() * v; }
    swizzle& operator/=(const whole& v) { return *this = get() / v; }
    swizzle& operator&=(const whole& v) { return *this = get() & v; }
    swizzle& operator|=(const whole& v) { return *this = get() | v; }
    swizzle& operator^=(const whole& v) { return *this = get() ^ v; }
};
