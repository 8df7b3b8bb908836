"""The identifiers that HLSL does not let a program define, or that a program would hide.

Sources: the HLSL reference's lists of keywords, reserved words, data types and intrinsic functions
(Shader Model 6.7 included), the keywords of C++ that DXC keeps, and the effect framework's words,
which older compilers take in any case of letters.
"""

from __future__ import annotations

from luma.language.reserved import Reserved

_KEYWORDS = """
    asm asm_fragment break case cbuffer centroid class column_major compile compile_fragment const
    constexpr continue default discard do else export extern false for fxgroup globallycoherent
    groupshared if in inline inout interface line lineadj linear matrix namespace nointerpolation
    noperspective numthreads NULL out packoffset pass pixelfragment point precise register return
    row_major sample sampler shared snorm stateblock stateblock_state static string struct switch
    tbuffer technique technique10 technique11 texture triangle triangleadj true typedef uniform
    unorm vector vertexfragment void volatile while unsigned
    signed long short char enum
"""

#: Reserved words of the reference, and those of C++.
_RESERVED = """
    auto catch const_cast delete dynamic_cast explicit friend goto mutable new operator private
    protected public reinterpret_cast sizeof static_cast template this throw try typename union
    using virtual decltype noexcept nullptr alignas alignof static_assert thread_local wchar_t
    char16_t char32_t typeid concept requires and_eq bitand bitor compl not_eq or_eq xor xor_eq
    not
"""

_SCALARS = """
    bool int uint dword half float double min16float min10float min16int min12int min16uint
    int16_t uint16_t int32_t uint32_t int64_t uint64_t float16_t float32_t float64_t
    int8_t4_packed uint8_t4_packed
"""

_OBJECTS = """
    AppendStructuredBuffer BlendState Buffer ByteAddressBuffer ComputeShader ConstantBuffer
    ConsumeStructuredBuffer DepthStencilState DepthStencilView DomainShader GeometryShader
    HullShader InputPatch LineStream OutputPatch PixelShader PointStream RWBuffer
    RWByteAddressBuffer RWStructuredBuffer RWTexture1D RWTexture1DArray RWTexture2D
    RWTexture2DArray RWTexture3D RasterizerState RenderTargetView SamplerComparisonState
    SamplerState StructuredBuffer TextureBuffer Texture1D Texture1DArray Texture2D Texture2DArray
    Texture2DMS Texture2DMSArray Texture3D TextureCube TextureCubeArray TriangleStream VertexShader
    RasterizerOrderedBuffer RasterizerOrderedByteAddressBuffer RasterizerOrderedStructuredBuffer
    RasterizerOrderedTexture1D RasterizerOrderedTexture1DArray RasterizerOrderedTexture2D
    RasterizerOrderedTexture2DArray RasterizerOrderedTexture3D FeedbackTexture2D
    FeedbackTexture2DArray RayDesc RayQuery RaytracingAccelerationStructure
    BuiltInTriangleIntersectionAttributes TriangleHitGroup ProceduralPrimitiveHitGroup
    StateObjectConfig GlobalRootSignature LocalRootSignature SubobjectToExportsAssociation
    RaytracingShaderConfig RaytracingPipelineConfig RaytracingPipelineConfig1 SubpassInput
    SubpassInputMS ResourceDescriptorHeap SamplerDescriptorHeap NodeInput NodeOutput
    sampler1D sampler2D sampler3D samplerCUBE sampler_state texture1D texture2D texture3D
    textureCUBE texture2DMS textureCUBEArray texture1DArray texture2DArray
"""

_FUNCTIONS = """
    abort abs acos all AllMemoryBarrier AllMemoryBarrierWithGroupSync and any asdouble asfloat
    asfloat16 asin asint asint16 asuint asuint16 atan atan2 ceil CheckAccessFullyMapped clamp clip
    cos cosh countbits cross D3DCOLORtoUBYTE4 ddx ddx_coarse ddx_fine ddy ddy_coarse ddy_fine
    degrees determinant DeviceMemoryBarrier DeviceMemoryBarrierWithGroupSync distance dot
    dot2add dot4add_i8packed dot4add_u8packed dst errorf EvaluateAttributeAtCentroid
    EvaluateAttributeAtSample EvaluateAttributeSnapped exp exp2 f16tof32 f32tof16 faceforward
    firstbithigh firstbitlow floor fma fmod frac frexp fwidth GetAttributeAtVertex
    GetRenderTargetSampleCount GetRenderTargetSamplePosition GroupMemoryBarrier
    GroupMemoryBarrierWithGroupSync InterlockedAdd InterlockedAnd InterlockedCompareExchange
    InterlockedCompareExchangeFloatBitwise InterlockedCompareStore
    InterlockedCompareStoreFloatBitwise InterlockedExchange InterlockedMax InterlockedMin
    InterlockedOr InterlockedXor isfinite isinf isnan isnormal ldexp length lerp lit log log10 log2
    mad max min modf msad4 mul noise normalize NonUniformResourceIndex or pack_clamp_s8
    pack_clamp_u8 pack_s8 pack_u8 pow printf Process2DQuadTessFactorsAvg
    Process2DQuadTessFactorsMax Process2DQuadTessFactorsMin ProcessIsolineTessFactors
    ProcessQuadTessFactorsAvg ProcessQuadTessFactorsMax ProcessQuadTessFactorsMin
    ProcessTriTessFactorsAvg ProcessTriTessFactorsMax ProcessTriTessFactorsMin QuadAll QuadAny
    QuadReadAcrossDiagonal QuadReadAcrossX QuadReadAcrossY QuadReadLaneAt radians rcp reflect
    refract reversebits round rsqrt saturate select sign sin sincos sinh smoothstep source_mark
    sqrt step tan tanh tex1D tex1Dbias tex1Dgrad tex1Dlod tex1Dproj tex2D tex2Dbias tex2Dgrad
    tex2Dlod tex2Dproj tex3D tex3Dbias tex3Dgrad tex3Dlod tex3Dproj texCUBE texCUBEbias
    texCUBEgrad texCUBElod texCUBEproj transpose trunc unpack_s8s16 unpack_s8s32 unpack_u8u16
    unpack_u8u32 WaveActiveAllEqual WaveActiveAllTrue WaveActiveAnyTrue WaveActiveBallot
    WaveActiveBitAnd WaveActiveBitOr WaveActiveBitXor WaveActiveCountBits WaveActiveMax
    WaveActiveMin WaveActiveProduct WaveActiveSum WaveGetLaneCount WaveGetLaneIndex
    WaveIsFirstLane WaveMatch WaveMultiPrefixBitAnd WaveMultiPrefixBitOr WaveMultiPrefixBitXor
    WaveMultiPrefixCountBits WaveMultiPrefixProduct WaveMultiPrefixSum WavePrefixCountBits
    WavePrefixProduct WavePrefixSum WaveReadLaneAt WaveReadLaneFirst TraceRay ReportHit CallShader
    IgnoreHit AcceptHitAndEndSearch DispatchRaysIndex DispatchRaysDimensions WorldRayOrigin
    WorldRayDirection ObjectRayOrigin ObjectRayDirection RayTMin RayTCurrent PrimitiveIndex
    InstanceID InstanceIndex GeometryIndex HitKind RayFlags ObjectToWorld ObjectToWorld3x4
    ObjectToWorld4x3 WorldToObject WorldToObject3x4 WorldToObject4x3 DispatchMesh
    SetMeshOutputCounts IsHelperLane
"""

#: Effect words that older compilers take in any case.
_CASELESS = """
    asm decl pass technique texture1d texture2d texture3d texturecube vector matrix pixelshader
    vertexshader string
"""


def _shaped() -> set[str]:
    """``float3``, ``int16_t4x4`` and the like, of every scalar type."""
    sizes = "1234"
    shapes = [*sizes, *(f"{rows}x{cols}" for rows in sizes for cols in sizes)]
    return {f"{scalar}{shape}" for scalar in _SCALARS.split() for shape in shapes}


#: Intrinsic functions that Luma's output calls; a local variable must not hide them.
_CALLED = """
    abs acos all any asfloat asin asint atan atan2 ceil clamp cos cosh countbits cross ddx ddy
    degrees
    determinant distance dot exp exp2 f16tof32 f32tof16 firstbithigh firstbitlow floor frac fwidth
    isinf isnan length lerp log log2 mad max min mul normalize pow radians reflect refract
    reversebits round rsqrt saturate sign sin sinh smoothstep sqrt step tan tanh transpose trunc
    InterlockedAdd InterlockedAnd InterlockedCompareExchange InterlockedExchange InterlockedMax
    InterlockedMin InterlockedOr InterlockedXor GroupMemoryBarrierWithGroupSync
    DeviceMemoryBarrierWithGroupSync
"""

_TYPES = {
    *_KEYWORDS.split(),
    *_RESERVED.split(),
    *_SCALARS.split(),
    *_OBJECTS.split(),
    *_shaped(),
}


def _table(words: set[str]) -> Reserved:
    return Reserved(
        words=frozenset(words),
        prefixes=("SV_", "__"),
        parts=("__",),
        caseless=frozenset(_CASELESS.split()),
    )


#: For what stands outside functions: it would be one more overload of an intrinsic.
HLSL = _table(_TYPES | set(_FUNCTIONS.split()))

#: For variables of functions, which may hide what nobody calls.
HLSL_LOCALS = _table(_TYPES | set(_CALLED.split()))

#: For members of structs.
HLSL_MEMBERS = _table(_TYPES)
