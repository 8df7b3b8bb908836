"""The identifiers that MSL 2.4 does not let a program define."""

from __future__ import annotations

from luma.language.reserved import Reserved

#: C++14 (ISO/IEC 14882:2014, 2.12), with alternative tokens and names with a meaning in context.
_CPP = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    class compl const constexpr const_cast continue decltype default delete do double dynamic_cast
    else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast return short signed sizeof static static_assert static_cast struct switch
    template this thread_local throw true try typedef typeid typename union unsigned using virtual
    void volatile wchar_t while xor xor_eq override final
"""

#: MSL specification 2.4, chapters 2 and 4: address spaces, function qualifiers, scalar types.
_MSL = """
    kernel vertex fragment constant device thread threadgroup threadgroup_imageblock ray_data
    object_data visible stitchable compute metal simd std main fast precise
    half uchar ushort uint ulong size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t
    uint32_t uint64_t bfloat quad atomic atomic_int atomic_uint atomic_bool atomic_ulong
    memory_order memory_order_relaxed mem_flags sampler array array_ref vec matrix packed_vec
    command_buffer
    patch_control_point uniform imageblock r8unorm r8snorm r16unorm r16snorm rg8unorm rg8snorm
    rg16unorm rg16snorm rgba8unorm srgba8unorm rgba8snorm rgba16unorm rgba16snorm rgb10a2
    rg11b10f rgb9e5 numeric_limits as_type INFINITY NAN HUGE_VALF MAXFLOAT FLT_MAX FLT_MIN
    FLT_EPSILON HALF_MAX HALF_MIN INT_MAX INT_MIN UINT_MAX SHRT_MAX CHAR_BIT NULL assert
    access coord filter mag_filter min_filter mip_filter address s_address t_address r_address
    compare_func border_color reduction max_anisotropy lod_clamp level bias gradient2d gradient3d
    gradientcube min_lod_clamp component
    texture1d texture1d_array texture2d texture2d_array texture2d_ms texture2d_ms_array texture3d
    texturecube texturecube_array texture_buffer depth2d depth2d_array depth2d_ms depth2d_ms_array
    depthcube depthcube_array
    acceleration_structure instance_acceleration_structure primitive_acceleration_structure
    intersector intersection_query intersection_function_table visible_function_table ray
    render_command compute_command render_pipeline_state compute_pipeline_state
    is_function_constant_defined is_null_texture is_null_sampler
"""

#: MSL specification 2.4, chapters 5 and 6: the functions of the library.
_FUNCTIONS = """
    abs absdiff addsat acos acosh asin asinh atan atan2 atanh ceil clamp clz copysign cos cosh
    cospi ctz cross degrees determinant distance distance_squared divide dot dfdx dfdy exp exp10
    exp2 extract_bits fabs faceforward fdim floor fma fmax fmax3 fmedian3 fmin fmin3 fmod fract
    frexp fwidth hadd ilogb insert_bits isfinite isinf isnan isnormal isordered isunordered ldexp
    length length_squared log log10 log2 mad24 madhi madsat max max3 median3 min min3 mix modf mul24
    mulhi nextafter normalize popcount pow powr radians reflect refract reverse_bits rhadd rint
    rotate round rsqrt saturate select sign signbit sin sincos sinh sinpi smoothstep sqrt step
    subsat tan tanh tanpi transpose trunc all any
    pack_float_to_snorm4x8 pack_float_to_unorm4x8 pack_float_to_srgb_unorm4x8
    pack_float_to_snorm2x16 pack_float_to_unorm2x16 pack_float_to_unorm10a2 pack_float_to_unorm565
    pack_half_to_snorm4x8 pack_half_to_unorm4x8 pack_half_to_snorm2x16 pack_half_to_unorm2x16
    unpack_snorm4x8_to_float unpack_unorm4x8_to_float unpack_srgb_unorm4x8_to_float
    unpack_snorm2x16_to_float unpack_unorm2x16_to_float unpack_unorm10a2_to_float
    unpack_unorm565_to_float unpack_snorm4x8_to_half unpack_unorm4x8_to_half
    unpack_snorm2x16_to_half unpack_unorm2x16_to_half
    discard_fragment threadgroup_barrier simdgroup_barrier get_num_samples get_sample_position
    simd_sum simd_min simd_max simd_all simd_any simd_ballot simd_broadcast simd_shuffle
    simd_product simd_is_first simd_is_helper_thread simd_prefix_inclusive_sum quad_sum quad_shuffle
    quad_broadcast quad_any quad_all
    atomic_load_explicit atomic_store_explicit atomic_exchange_explicit
    atomic_compare_exchange_weak_explicit atomic_fetch_add_explicit atomic_fetch_and_explicit
    atomic_fetch_max_explicit atomic_fetch_min_explicit atomic_fetch_or_explicit
    atomic_fetch_sub_explicit atomic_fetch_xor_explicit atomic_thread_fence
    printf malloc free memcpy
"""

_SCALARS = """
    bool char uchar short ushort int uint long ulong half float double
"""


def _shaped() -> set[str]:
    """Vectors, packed vectors and matrices, spelled as the products of their parts."""
    sizes = (2, 3, 4)
    vectors = {f"{scalar}{n}" for scalar in _SCALARS.split() for n in sizes}
    matrices = {f"{s}{c}x{r}" for s in ("float", "half") for c in sizes for r in sizes}
    return vectors | {f"packed_{vector}" for vector in vectors} | matrices


MSL = Reserved(
    words=frozenset({*_CPP.split(), *_MSL.split(), *_FUNCTIONS.split(), *_shaped()}),
    prefixes=("__", "METAL_", "M_PI", "air_", "_"),
    parts=("__",),
)
