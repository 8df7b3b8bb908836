"""The identifiers that a target does not let a program define: one table a target.

A target's entry lists its keywords, the words it keeps for the future, its builtin types,
functions and variables, and the beginnings and inner parts that no name may have.  Only what can
clash is listed; punctuation and preprocessor words are not identifiers.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reserved:
    """What a target forbids in names: whole words, beginnings, and parts anywhere.

    ``caseless`` holds words, in lower case, that are forbidden however their letters are cased.
    """

    words: frozenset[str]
    prefixes: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    caseless: frozenset[str] = frozenset()

    def forbids(self, name: str) -> bool:
        """Whether a program may not define ``name``."""
        return (
            name in self.words
            or name.startswith(self.prefixes)
            or any(part in name for part in self.parts)
            or name.lower() in self.caseless
        )


# ---------------------------------------------------------------- GLSL 4.50, with the words of 4.60

#: GLSL 4.60 specification, section 3.6: keywords in use.
_GLSL_KEYWORDS = """
    const uniform buffer shared attribute varying coherent volatile restrict readonly writeonly
    atomic_uint layout centroid flat smooth noperspective patch sample invariant precise
    break continue do for while switch case default if else subroutine in out inout
    int void bool true false float double discard return
    vec2 vec3 vec4 ivec2 ivec3 ivec4 bvec2 bvec3 bvec4 uint uvec2 uvec3 uvec4 dvec2 dvec3 dvec4
    mat2 mat3 mat4 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4
    dmat2 dmat3 dmat4 dmat2x2 dmat2x3 dmat2x4 dmat3x2 dmat3x3 dmat3x4 dmat4x2 dmat4x3 dmat4x4
    lowp mediump highp precision struct
"""

#: The opaque types, spelled as the products of their parts.
_GLSL_OPAQUE_SHAPES = """
    1D 2D 3D Cube 2DRect 1DArray 2DArray Buffer 2DMS 2DMSArray CubeArray
"""
_GLSL_SHADOW_SHAPES = "1D 2D Cube 2DRect 1DArray 2DArray CubeArray"

#: GLSL 4.60 specification, section 3.6: kept for future use.
_GLSL_FUTURE = """
    common partition active asm class union enum typedef template this resource goto
    inline noinline public static extern external interface
    long short half fixed unsigned superp input output
    hvec2 hvec3 hvec4 fvec2 fvec3 fvec4 filter sizeof cast namespace using sampler3DRect
"""

#: The types of GL_EXT_shader_explicit_arithmetic_types, and subpass inputs of Vulkan's flavour.
_GLSL_EXTENSION_TYPES = """
    float16_t f16vec2 f16vec3 f16vec4 float32_t f32vec2 f32vec3 f32vec4 float64_t f64vec2 f64vec3
    f64vec4 int8_t i8vec2 i8vec3 i8vec4 uint8_t u8vec2 u8vec3 u8vec4 int16_t i16vec2 i16vec3 i16vec4
    uint16_t u16vec2 u16vec3 u16vec4 int32_t i32vec2 i32vec3 i32vec4 uint32_t u32vec2 u32vec3
    u32vec4 int64_t i64vec2 i64vec3 i64vec4 uint64_t u64vec2 u64vec3 u64vec4 f16mat2 f16mat3 f16mat4
    f16mat2x2 f16mat2x3 f16mat2x4 f16mat3x2 f16mat3x3 f16mat3x4 f16mat4x2 f16mat4x3 f16mat4x4
    subpassInput subpassInputMS isubpassInput isubpassInputMS usubpassInput usubpassInputMS
    sampler samplerShadow nonuniformEXT rayPayloadEXT rayPayloadInEXT hitAttributeEXT
    callableDataEXT callableDataInEXT accelerationStructureEXT demote terminateInvocation
"""

#: GLSL 4.60 specification, chapter 8: the builtin functions.
_GLSL_FUNCTIONS = """
    radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
    pow exp log exp2 log2 sqrt inversesqrt
    abs sign floor trunc round roundEven ceil fract mod modf min max clamp mix step smoothstep
    isnan isinf floatBitsToInt floatBitsToUint intBitsToFloat uintBitsToFloat fma frexp ldexp
    float16BitsToInt16 float16BitsToUint16 int16BitsToFloat16 uint16BitsToFloat16
    packUnorm2x16 packSnorm2x16 packUnorm4x8 packSnorm4x8 unpackUnorm2x16 unpackSnorm2x16
    unpackUnorm4x8 unpackSnorm4x8 packHalf2x16 unpackHalf2x16 packDouble2x32 unpackDouble2x32
    packFloat2x16 unpackFloat2x16 pack16 pack32 pack64 unpack8 unpack16 unpack32
    length distance dot cross normalize ftransform faceforward reflect refract
    matrixCompMult outerProduct transpose determinant inverse
    lessThan lessThanEqual greaterThan greaterThanEqual equal notEqual any all not
    uaddCarry usubBorrow umulExtended imulExtended bitfieldExtract bitfieldInsert bitfieldReverse
    bitCount findLSB findMSB
    textureSize textureQueryLod textureQueryLevels textureSamples texture textureProj textureLod
    textureOffset texelFetch texelFetchOffset textureProjOffset textureLodOffset textureProjLod
    textureProjLodOffset textureGrad textureGradOffset textureProjGrad textureProjGradOffset
    textureGather textureGatherOffset textureGatherOffsets
    atomicCounterIncrement atomicCounterDecrement atomicCounter atomicAdd atomicMin atomicMax
    atomicAnd atomicOr atomicXor atomicExchange atomicCompSwap atomicLoad atomicStore
    imageSize imageSamples imageLoad imageStore imageAtomicAdd imageAtomicMin imageAtomicMax
    imageAtomicAnd imageAtomicOr imageAtomicXor imageAtomicExchange imageAtomicCompSwap
    dFdx dFdy dFdxFine dFdyFine dFdxCoarse dFdyCoarse fwidth fwidthFine fwidthCoarse
    interpolateAtCentroid interpolateAtSample interpolateAtOffset noise1 noise2 noise3 noise4
    EmitStreamVertex EndStreamPrimitive EmitVertex EndPrimitive
    barrier memoryBarrier memoryBarrierAtomicCounter memoryBarrierBuffer memoryBarrierShared
    memoryBarrierImage groupMemoryBarrier subpassLoad allInvocations anyInvocation
    allInvocationsEqual controlBarrier
    texture1D texture2D texture3D textureCube shadow1D shadow2D
"""


def _glsl_opaque() -> set[str]:
    """Names like ``sampler2D``, ``utexture3D``, ``iimage2DArray``, ``samplerCubeShadow``."""
    shapes = _GLSL_OPAQUE_SHAPES.split()
    found = {
        f"{kind}{base}{shape}"
        for kind in ("", "i", "u")
        for base in ("sampler", "texture", "image")
        for shape in shapes
    }
    return found | {f"sampler{shape}Shadow" for shape in _GLSL_SHADOW_SHAPES.split()}


GLSL = Reserved(
    words=frozenset(
        {
            *_GLSL_KEYWORDS.split(),
            *_GLSL_FUTURE.split(),
            *_GLSL_EXTENSION_TYPES.split(),
            *_GLSL_FUNCTIONS.split(),
            *_glsl_opaque(),
            "main",
        }
    ),
    prefixes=("gl_", "GL_"),
    parts=("__",),
)

# ---------------------------------------------------------------- WGSL

#: WGSL specification, 16.1: keywords.
_WGSL_KEYWORDS = """
    alias break case const const_assert continue continuing default diagnostic discard else enable
    false fn for if let loop override requires return struct switch true var while
"""

#: WGSL specification, 16.2: reserved words.
_WGSL_RESERVED = """
    NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become
    cast catch class co_await co_return co_yield coherent column_major common compile
    compile_fragment concept const_cast consteval constexpr constinit crate debugger decltype delete
    demote demote_to_helper do dynamic_cast enum explicit export extends extern external fallthrough
    filter final finally friend from fxgroup get goto groupshared highp impl implements import
    inline instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut
    mutable namespace new nil noexcept noinline nointerpolation non_coherent noncoherent
    noperspective null nullptr of operator package packoffset partition pass patch pixelfragment
    precise precision premerge priv protected pub public readonly ref regardless register
    reinterpret_cast require resource restrict self set shared sizeof smooth snorm static
    static_assert static_cast std subroutine super target template this thread_local throw trait try
    type typedef typeid typename typeof union unless unorm unsafe unsized use using varying virtual
    volatile wgsl where with writeonly yield
"""

#: WGSL specification, 6.9: predeclared types and enumerants, which the text itself needs.
_WGSL_TYPES = """
    bool f16 f32 i32 u32 array atomic ptr vec2 vec3 vec4
    mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4
    sampler sampler_comparison texture_1d texture_2d texture_2d_array texture_3d texture_cube
    texture_cube_array texture_multisampled_2d texture_depth_multisampled_2d texture_external
    texture_storage_1d texture_storage_2d texture_storage_2d_array texture_storage_3d
    texture_depth_2d texture_depth_2d_array texture_depth_cube texture_depth_cube_array
    read write read_write function private workgroup uniform storage
    rgba8unorm rgba8snorm rgba8uint rgba8sint rgba16unorm rgba16snorm rgba16uint rgba16sint
    rgba16float rg8unorm rg8snorm rg8uint rg8sint rg16unorm rg16snorm rg16uint rg16sint rg16float
    r32uint r32sint r32float rg32uint rg32sint rg32float rgba32uint rgba32sint rgba32float
    bgra8unorm r8unorm r8snorm r8uint r8sint r16unorm r16snorm r16uint r16sint r16float
    rgb10a2unorm rgb10a2uint rg11b10ufloat
"""

#: WGSL specification, chapter 17: builtin functions.
_WGSL_FUNCTIONS = """
    bitcast all any select arrayLength
    abs acos acosh asin asinh atan atanh atan2 ceil clamp cos cosh countLeadingZeros countOneBits
    countTrailingZeros cross degrees determinant distance dot dot4U8Packed dot4I8Packed exp exp2
    extractBits faceForward firstLeadingBit firstTrailingBit floor fma fract frexp insertBits
    inverseSqrt ldexp length log log2 max min mix modf normalize pow quantizeToF16 radians reflect
    refract reverseBits round saturate sign sin sinh smoothstep sqrt step tan tanh transpose trunc
    dpdx dpdxCoarse dpdxFine dpdy dpdyCoarse dpdyFine fwidth fwidthCoarse fwidthFine
    textureDimensions textureGather textureGatherCompare textureLoad textureNumLayers
    textureNumLevels textureNumSamples textureSample textureSampleBias textureSampleCompare
    textureSampleCompareLevel textureSampleGrad textureSampleLevel textureSampleBaseClampToEdge
    textureStore
    atomicLoad atomicStore atomicAdd atomicSub atomicMax atomicMin atomicAnd atomicOr atomicXor
    atomicExchange atomicCompareExchangeWeak
    pack4x8snorm pack4x8unorm pack4xI8 pack4xU8 pack4xI8Clamp pack4xU8Clamp pack2x16snorm
    pack2x16unorm pack2x16float unpack4x8snorm unpack4x8unorm unpack4xI8 unpack4xU8 unpack2x16snorm
    unpack2x16unorm unpack2x16float
    storageBarrier textureBarrier workgroupBarrier workgroupUniformLoad
    subgroupAdd subgroupExclusiveAdd subgroupInclusiveAdd subgroupAll subgroupAnd subgroupAny
    subgroupBallot subgroupBroadcast subgroupBroadcastFirst subgroupElect subgroupMax subgroupMin
    subgroupMul subgroupExclusiveMul subgroupInclusiveMul subgroupOr subgroupShuffle
    subgroupShuffleDown subgroupShuffleUp subgroupShuffleXor subgroupXor
    quadBroadcast quadSwapDiagonal quadSwapX quadSwapY
"""


def _wgsl_short_types() -> set[str]:
    """Names like ``vec3f`` and ``mat2x3h``."""
    shapes = [f"vec{n}{kind}" for n in (2, 3, 4) for kind in "iufh"]
    shapes += [f"mat{c}x{r}{kind}" for c in (2, 3, 4) for r in (2, 3, 4) for kind in "fh"]
    return set(shapes)


#: What no WGSL identifier may be; members have no other limits.
WGSL_MEMBERS = Reserved(
    words=frozenset({*_WGSL_KEYWORDS.split(), *_WGSL_RESERVED.split(), "_"}), prefixes=("__",)
)

#: What declarations may not be called either, so that nothing predeclared is hidden.
WGSL = Reserved(
    words=WGSL_MEMBERS.words
    | {*_WGSL_TYPES.split(), *_WGSL_FUNCTIONS.split(), *_wgsl_short_types()},
    prefixes=("__",),
)

#: The table of each target that has one, by the target's name.
RESERVED: dict[str, Reserved] = {"glsl": GLSL, "wgsl": WGSL}
