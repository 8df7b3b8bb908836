"""What names of GLSL, HLSL, WGSL, Metal and Lua are called in Luma."""

from __future__ import annotations

_SIZES = (2, 3, 4)
_SAMPLE = "the function is called `sample`: `sample(texture, coordinates)`"
_LEVEL = "the function is called `sample_level`"
_GRADIENT = "the function is called `sample_grad`"
_BIAS = "the function is called `sample_bias`"
_COMPARE = "the function is called `sample_compare`"
_FETCH = "the function is called `texel_fetch`"
_TEXTURE_SIZE = "the function is called `texture_size`"
_REDUCED = "there is no projection: write `sample(texture, p.xy / p.w)`"
_GROUP = "the function is called `workgroup_barrier`"
_DEVICE = "the function is called `storage_barrier`"
_NO_IMAGES = "there are no storage images: use a `buffer storage`"

#: What to say to a call of a function that other languages have.
FUNCTIONS: dict[str, str] = {
    # arithmetic
    "lerp": "the function is called `mix`",
    "frac": "the function is called `fract`",
    "rsqrt": "the function is called `inversesqrt`",
    "fmod": "use `%` or `mod`",
    "mul": "use `*`",
    "matrixCompMult": "multiply the columns: `a[0] * b[0]`",
    "mad": "write `a * b + c`, or `fma(a, b, c)`",
    "rcp": "write `1.0 / x`",
    "fabs": "the function is called `abs`",
    "fmin": "the function is called `min`",
    "fmax": "the function is called `max`",
    "powf": "the function is called `pow`",
    "sqr": "write `x * x`",
    "ln": "the function is called `log`",
    "log10": "write `log(x) * 0.4342945`",
    "exp10": "write `pow(10.0, x)`",
    "cbrt": "write `sign(x) * pow(abs(x), 1.0 / 3.0)`",
    "hypot": "write `length(vec2(x, y))`",
    "ceiling": "the function is called `ceil`",
    "roundEven": "the function is called `round`: halves go to the even number",
    "rint": "the function is called `round`: halves go to the even number",
    "nearbyint": "the function is called `round`: halves go to the even number",
    "sgn": "the function is called `sign`",
    "atan2f": "the function is called `atan2`",
    "deg": "the function is called `degrees`",
    "rad": "the function is called `radians`",
    "sincos": "call `sin` and `cos`",
    "modf": "write `trunc(x)` and `x - trunc(x)`",
    "random": "there is no randomness: compute a hash of the coordinates",
    "rand": "there is no randomness: compute a hash of the coordinates",
    "isfinite": "write `not (isnan(x) or isinf(x))`",
    "dst": "write out its components",
    "lit": "write out its components",
    # vectors and bits
    "length_squared": "write `dot(v, v)`",
    "dot4": "the function is called `dot`",
    "lessThanEqual": "the function is called `less_equal`",
    "greaterThanEqual": "the function is called `greater_equal`",
    "countbits": "the function is called `bit_count`",
    "countOneBits": "the function is called `bit_count`",
    "popcount": "the function is called `bit_count`",
    "bitfieldReverse": "the function is called `reverse_bits`",
    "firstbitlow": "the function is called `find_lsb`",
    "firstTrailingBit": "the function is called `find_lsb`",
    "firstbithigh": "the function is called `find_msb`",
    "firstLeadingBit": "the function is called `find_msb`",
    "bitfieldExtract": "write `(x >> offset) & mask`",
    "bitfieldInsert": "write it with `&`, `|` and `<<`",
    "extractBits": "write `(x >> offset) & mask`",
    "insertBits": "write it with `&`, `|` and `<<`",
    "band": "use `&`",
    "bor": "use `|`",
    "bxor": "use `~`: `a ~ b`",
    "bnot": "use `~`: `~a`",
    "lshift": "use `<<`",
    "rshift": "use `>>`",
    "f32tof16": "use `pack_half2x16`",
    "f16tof32": "use `unpack_half2x16`",
    # textures
    "texture": _SAMPLE,
    "tex2D": _SAMPLE,
    "tex3D": _SAMPLE,
    "texCUBE": _SAMPLE,
    "texture2D": _SAMPLE,
    "texture3D": _SAMPLE,
    "textureCube": _SAMPLE,
    "textureSample": _SAMPLE,
    "tex2Dlod": _LEVEL,
    "textureLod": _LEVEL,
    "texture2DLod": _LEVEL,
    "textureSampleLevel": _LEVEL,
    "tex2Dgrad": _GRADIENT,
    "textureGrad": _GRADIENT,
    "textureSampleGrad": _GRADIENT,
    "tex2Dbias": _BIAS,
    "textureSampleBias": _BIAS,
    "tex2Dproj": _REDUCED,
    "textureProj": _REDUCED,
    "textureSampleCompare": _COMPARE,
    "textureSampleCompareLevel": _COMPARE,
    "SampleCmp": _COMPARE,
    "SampleCmpLevelZero": _COMPARE,
    "sample_compare_level": _COMPARE,
    "textureLoad": _FETCH,
    "Load": _FETCH,
    "textureDimensions": _TEXTURE_SIZE,
    "GetDimensions": _TEXTURE_SIZE,
    "imageLoad": _NO_IMAGES,
    "imageStore": _NO_IMAGES,
    "textureStore": _NO_IMAGES,
    # derivatives
    "ddx": "the function is called `dfdx`",
    "ddy": "the function is called `dfdy`",
    "dpdx": "the function is called `dfdx`",
    "dpdy": "the function is called `dfdy`",
    "dFdxFine": "the function is called `dfdx`",
    "dFdyFine": "the function is called `dfdy`",
    "ddx_fine": "the function is called `dfdx`",
    "ddy_fine": "the function is called `dfdy`",
    "dFdxCoarse": "the function is called `dfdx`",
    "dFdyCoarse": "the function is called `dfdy`",
    "ddx_coarse": "the function is called `dfdx`",
    "ddy_coarse": "the function is called `dfdy`",
    "fwidthFine": "the function is called `fwidth`",
    "fwidthCoarse": "the function is called `fwidth`",
    # memory and control
    "clip": "write `if x < 0.0 then discard() end`",
    "discard_fragment": "the function is called `discard`",
    "barrier": _GROUP,
    "groupMemoryBarrier": _GROUP,
    "memoryBarrierShared": _GROUP,
    "GroupMemoryBarrier": _GROUP,
    "GroupMemoryBarrierWithGroupSync": _GROUP,
    "threadgroup_barrier": _GROUP,
    "memoryBarrier": _DEVICE,
    "memoryBarrierBuffer": _DEVICE,
    "DeviceMemoryBarrier": _DEVICE,
    "DeviceMemoryBarrierWithGroupSync": _DEVICE,
    "AllMemoryBarrier": _DEVICE,
    "AllMemoryBarrierWithGroupSync": _DEVICE,
    **{
        f"Interlocked{theirs}": f"the function is called `atomic_{ours}`"
        for theirs, ours in (
            ("Add", "add"),
            ("Min", "min"),
            ("Max", "max"),
            ("And", "and"),
            ("Or", "or"),
            ("Xor", "xor"),
            ("Exchange", "exchange"),
            ("CompareExchange", "compare_exchange"),
        )
    },
    "atomicCompSwap": "the function is called `atomic_compare_exchange`",
    "atomicSub": "add the negative: `atomic_add(place, -x)`",
    "atomicLoad": "read the place itself",
    "atomicStore": "assign to the place, or use `atomic_exchange`",
    # conversions and selection
    "tonumber": "convert with `float(...)` or `int(...)`",
    "floatBitsToInt": "there is no reinterpretation of bits",
    "floatBitsToUint": "there is no reinterpretation of bits",
    "intBitsToFloat": "there is no reinterpretation of bits",
    "uintBitsToFloat": "there is no reinterpretation of bits",
    "asfloat": "there is no reinterpretation of bits",
    "asint": "there is no reinterpretation of bits",
    "asuint": "there is no reinterpretation of bits",
    "bitcast": "there is no reinterpretation of bits",
    "cast": "convert with the type's name: `int(x)`",
    "static_cast": "convert with the type's name: `int(x)`",
    "array": "an array literal is `[3]float { 1.0, 2.0, 3.0 }`",
    "print": "a shader cannot print: write to a buffer",
    "printf": "a shader cannot print: write to a buffer",
    "debugPrintfEXT": "a shader cannot print: write to a buffer",
    "assert": "a shader cannot stop with a message",
    "error": "a shader cannot stop with a message",
}

_NAMED_VECTORS = (
    ("float", "vec", "float"),
    ("int", "ivec", "int"),
    ("uint", "uvec", "uint"),
    ("bool", "bvec", "bool"),
    ("half", "hvec", "half"),
    ("min16float", "hvec", "half"),
    ("f16vec", "hvec", "half"),
    ("float16_t", "hvec", "half"),
)
_SUFFIXES = {"f": "vec", "i": "ivec", "u": "uvec", "h": "hvec"}

#: The types that other languages call by other names.
TYPE_NAMES: dict[str, str] = {
    **{f"{name}{n}": f"{vec}{n}" for name, vec, _ in _NAMED_VECTORS for n in _SIZES},
    **{f"vec{n}{suffix}": f"{vec}{n}" for suffix, vec in _SUFFIXES.items() for n in _SIZES},
    **{f"mat{c}x{r}f": f"mat{c}x{r}" for c in _SIZES for r in _SIZES},
    **{f"mat{c}f": f"mat{c}" for c in _SIZES},
    # HLSL counts rows first, Metal columns; square ones are the same
    **{f"float{n}x{n}": f"mat{n}" for n in _SIZES},
    **{f"half{n}x{n}": f"mat{n}" for n in _SIZES},
    "f32": "float",
    "i32": "int",
    "u32": "uint",
    "f16": "half",
    "int32_t": "int",
    "uint32_t": "uint",
    "unsigned": "uint",
    "dword": "uint",
    "float16": "half",
    "float16_t": "half",
    "min16float": "half",
    "float32": "float",
    "fixed": "half",
    "real": "float",
    "number": "float",
    "integer": "int",
    "boolean": "bool",
    "depth2d": "textureDepth2D",
    "SamplerState": "sampler",
    "samplerState": "sampler",
    "SamplerComparisonState": "samplerShadow",
    "sampler_comparison": "samplerShadow",
}

#: What to say to a type that other languages have.
TYPES: dict[str, str] = {
    **{theirs: f"the type is called `{ours}`" for theirs, ours in TYPE_NAMES.items()},
    **{
        f"float{r}x{c}": f"matrices are `matCxR`, with the number of columns first: `mat{c}x{r}` "
        f"has {r} rows"
        for r in _SIZES
        for c in _SIZES
        if r != c
    },
    "vec": "the types are called `vec2`, `vec3` and `vec4`",
    "mat": "the types are called `mat2`, `mat3` and `mat4`",
    "matrix": "the types are called `mat2`, `mat3` and `mat4`",
    "double": "there is no `double`; `float` has 32 bits",
    "long": "there is no `long`; `int` has 32 bits",
    "short": "there is no `short`; `int` has 32 bits",
    "char": "there is no `char`; `int` has 32 bits",
    "byte": "there is no `byte`; `uint` has 32 bits",
    "string": "Luma has no strings",
    "void": "a function that returns nothing has no `->`",
    "auto": "leave the type out: `let x = ...`",
    "any": "write a type: there are no generic functions",
    "table": "declare a `struct`, or an array `[N]T`",
    "array": "an array of 4 floats is `[4]float`",
    "sampler1D": "use a `sampler2D` with a height of 1",
    "Texture1D": "use a `texture2D` with a height of 1",
    "texture_1d": "use a `texture2D` with a height of 1",
    "samplerBuffer": "use a `buffer readonly`",
    "StructuredBuffer": "declare `buffer readonly name: []T`",
    "RWStructuredBuffer": "declare `buffer storage name: []T`",
    "ByteAddressBuffer": "declare `buffer readonly name: []uint`",
    "RWByteAddressBuffer": "declare `buffer storage name: []uint`",
    "ConstantBuffer": "declare `uniform name: T`",
    "image2D": _NO_IMAGES,
    "RWTexture2D": _NO_IMAGES,
}


def _builtin_input(name: str, type: str, parameter: str = "value") -> str:
    return f"it is an input: take the parameter `@builtin({name}) {parameter}: {type}`"


def _builtin_output(name: str, type: str) -> str:
    return f"it is an output: return a field `@builtin({name}) {name}: {type}`"


#: What to say to a variable or constant that other languages have.
VARIABLES: dict[str, str] = {
    "gl_Position": _builtin_output("position", "vec4"),
    "gl_PointSize": _builtin_output("point_size", "float"),
    "gl_FragDepth": _builtin_output("frag_depth", "float"),
    "gl_FragColor": "it is an output: `-> (color: vec4)` and `return { color = ... }`",
    "gl_FragCoord": _builtin_input("frag_coord", "vec4", "at"),
    "gl_FrontFacing": _builtin_input("front_facing", "bool", "front"),
    "gl_SampleID": _builtin_input("sample_id", "int", "id"),
    "gl_PrimitiveID": _builtin_input("primitive_id", "int", "id"),
    "gl_VertexID": _builtin_input("vertex_id", "int", "id"),
    "gl_VertexIndex": _builtin_input("vertex_id", "int", "id"),
    "gl_InstanceID": _builtin_input("instance_id", "int", "id"),
    "gl_InstanceIndex": _builtin_input("instance_id", "int", "id"),
    "gl_GlobalInvocationID": _builtin_input("global_invocation_id", "uvec3", "id"),
    "gl_LocalInvocationID": _builtin_input("local_invocation_id", "uvec3", "id"),
    "gl_LocalInvocationIndex": _builtin_input("local_invocation_index", "uint", "index"),
    "gl_WorkGroupID": _builtin_input("workgroup_id", "uvec3", "id"),
    "gl_NumWorkGroups": _builtin_input("num_workgroups", "uvec3", "count"),
    "gl_WorkGroupSize": "it is what `@workgroup_size` says: use a `const` for both",
    "nil": "Luma has no nil: every value is initialised",
    "null": "Luma has no null: every value is initialised",
    "self": "Luma has no methods; pass the value as a parameter",
    "this": "Luma has no methods; pass the value as a parameter",
    "pi": "declare it: `const PI: float = 3.14159265`",
    "PI": "declare it: `const PI: float = 3.14159265`",
    "M_PI": "declare it: `const PI: float = 3.14159265`",
    "huge": "the largest float is `3.4028235e38`",
    "inf": "infinities are not written; the largest float is `3.4028235e38`",
    "nan": "there is no literal for it; `isnan(x)` tests for it",
    "True": "write `true`",
    "False": "write `false`",
    "TRUE": "write `true`",
    "FALSE": "write `false`",
}

#: Names before a `.` that hold functions elsewhere.
MODULES = frozenset(
    ("math", "Math", "bit", "bit32", "std", "glm", "simd", "metal", "table", "string", "f32")
)

#: What to say to an attribute that other languages have.
ATTRIBUTES: dict[str, str] = {
    "vertex": "write `@entry(vertex)`",
    "fragment": "write `@entry(fragment)`",
    "compute": "write `@entry(compute)`",
    "kernel": "write `@entry(compute)`",
    "shader": "write `@entry(vertex)`, `@entry(fragment)` or `@entry(compute)`",
    "stage": "write `@entry(vertex)`, `@entry(fragment)` or `@entry(compute)`",
    "numthreads": "write `@workgroup_size(x, y, z)`",
    "local_size": "write `@workgroup_size(x, y, z)`",
    "interpolate": "write `@interpolation(flat)`",
    "flat": "write `@interpolation(flat)`",
    "smooth": "write `@interpolation(smooth)`",
    "noperspective": "write `@interpolation(noperspective)`",
    "nointerpolation": "write `@interpolation(flat)`",
    "id": "write `@spec(n)`",
    "override": "write `@spec(n)`",
    "constant_id": "write `@spec(n)`",
    "set": "write `@group(n)`",
    "space": "write `@group(n)`",
    "register": "write `@group(n)` and `@binding(n)`",
    "buffer": "write `@binding(n)`",
    "texture": "write `@binding(n)`",
    "push": "write `@push_constant`",
    "early_fragment_tests": "write `@early_depth`",
    "earlydepthstencil": "write `@early_depth`",
    "loop": "write `@max_iterations(n)` before a `while`",
    "align": "uniforms are laid out by std140, buffers by std430",
    "size": "uniforms are laid out by std140, buffers by std430",
    "normalized": "write `@unit`",
    "orthonormal": "write `@rigid`",
    "positive": "write `@nonnegative`",
    "unorm": "write `@range(0.0, 1.0)`",
    "inline": "leave it out: the optimizer decides",
    "const": "leave it out",
}
