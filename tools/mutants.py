"""Mistakes that a backend could have: each must make some case of the conformance suite fail.

A mutant is one change of a backend's text.  ``old`` occurs exactly once in ``file``; whoever
changes that line changes the table too.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mistake: ``old`` becomes ``new`` in ``file``.

    ``cases`` are those of ``tests/run`` that must notice, each a case's name and a level; they run
    on ``target``.
    """

    name: str
    target: str
    file: str
    old: str
    new: str
    cases: tuple[str, ...]


_GLSL = (
    Mutant(
        "select's arms swapped",
        "glsl",
        "backends/glsl_printer.py",
        'return call("mix", b, a, cond)',
        'return call("mix", a, b, cond)',
        ("operators_vec2-none",),
    ),
    Mutant(
        "shared-memory barrier dropped",
        "glsl",
        "backends/glsl_printer.py",
        'yield "barrier();"  # which orders shared memory too (GL_KHR_memory_scope_semantics)',
        "return",
        ("atomics_uint-basic",),
    ),
    Mutant(
        "storage buffers laid out as std140",
        "glsl",
        "backends/glsl.py",
        'rules = "std140" if item.space is Space.UNIFORM else "std430"',
        'rules = "std140"',
        ("layout_float_array-basic",),
    ),
    Mutant(
        "derivative's sign",
        "glsl",
        "backends/glsl_printer.py",
        "if scalar_of(instr.type) != HALF:\n            return call(function, value)",
        'if scalar_of(instr.type) != HALF:\n            return call(function, call("-", value))',
        ("stage_derivatives-basic",),
    ),
    Mutant(
        "noperspective lost",
        "glsl",
        "backends/glsl.py",
        'if mode in ("flat", "noperspective"):',
        'if mode == "flat":',
        ("stage_interpolation-basic",),
    ),
    Mutant(
        "specialization constant's default ignored",
        "glsl",
        "backends/glsl.py",
        "value = self.printer.literal(constant.default, scalar_of(constant.type)).text",
        "value = self.printer.literal(type(constant.default)(), scalar_of(constant.type)).text",
        ("spec_defaults-basic",),
    ),
    Mutant(
        "wrong atomic operation",
        "glsl",
        "backends/glsl_printer.py",
        '"atomic_xor": "atomicXor"',
        '"atomic_xor": "atomicOr"',
        ("atomics_int-basic",),
    ),
    Mutant(
        "shift count masked to half a word",
        "glsl",
        "backends/glsl_printer.py",
        'mask = Code("31u" if scalar_of(instr.type).kind is Kind.UINT else "31")',
        'mask = Code("15u" if scalar_of(instr.type).kind is Kind.UINT else "15")',
        ("operators_int-basic", "operators_uint-basic"),
    ),
    Mutant(
        "sampler half of a pair bound one too far",
        "glsl",
        "backends/glsl.py",
        'return {"set": item.group, "binding": item.binding}',
        'return {"set": item.group, "binding": item.binding + isinstance(item.type, Sampler)}',
        ("textures_explicit-basic",),
    ),
)

_HLSL = (
    Mutant(
        "product's operands in Luma's order",
        "hlsl",
        "backends/hlsl/printer.py",
        'return call("mul", b, a)',
        'return call("mul", a, b)',
        ("matrix_mat2-none",),
    ),
    Mutant(
        "matrices transposed in memory",
        "hlsl",
        "backends/hlsl/places.py",
        "row_major float",
        "column_major float",
        ("matrix_mat2-none",),
    ),
    Mutant(
        "group barrier dropped",
        "hlsl",
        "backends/hlsl/printer.py",
        'if instr.op == "discard":',
        'if instr.op == "workgroup_barrier":\n            return\n'
        '        if instr.op == "discard":',
        ("atomics_uint-basic",),
    ),
    Mutant(
        "select's arms swapped",
        "hlsl",
        "backends/raising/reals.py",
        "b.choose(b.part(cond, i), b.part(yes, i), b.part(no, i))",
        "b.choose(b.part(cond, i), b.part(no, i), b.part(yes, i))",
        ("operators_vec2-basic",),
    ),
    Mutant(
        "buffer offsets shifted by 4",
        "hlsl",
        "backends/hlsl/offsets.py",
        "constant += layout(t, rules).offsets[int(index or 0)]",
        "constant += layout(t, rules).offsets[int(index or 0)] + 4 * (index == 1)",
        ("layout_runtime_tail-basic", "layout_float_array-basic"),
    ),
    Mutant(
        "padding before a uniform's member forgotten",
        "hlsl",
        "backends/hlsl/blocks.py",
        "pads = () if _lands(t, ends, offset, packing) else _pads(ends[1], offset)",
        "pads = ()",
        ("layout_scalars_and_vectors-basic", "layout_bools-none"),
    ),
    Mutant(
        "level of a texel ignored",
        "hlsl",
        "backends/hlsl/printer.py",
        'call(f"int{t.size + 1}", at, level)',
        'call(f"int{t.size + 1}", at, Code("0"))',
        ("textures_explicit-basic",),
    ),
    Mutant(
        "mod truncates as a remainder does",
        "hlsl",
        "backends/raising/reals.py",
        'return b.each("sub", x, b.each("mul", y, b.each("floor", b.each("div", x, y))))',
        'return b.each("sub", x, b.each("mul", y, b.each("trunc", b.each("div", x, y))))',
        ("operators_float-basic",),
    ),
    Mutant(
        "derivative in the wrong direction",
        "hlsl",
        "backends/hlsl/printer.py",
        '"dfdy": "ddy"',
        '"dfdy": "ddx"',
        ("stage_derivatives-basic",),
    ),
    Mutant(
        "discard dropped",
        "hlsl",
        "backends/text/printer.py",
        'yield "discard;"',
        'yield ";"',
        ("textures_implicit-basic",),
    ),
    Mutant(
        "noperspective lost",
        "hlsl",
        "backends/hlsl/file.py",
        'mode = "noperspective "',
        'mode = ""',
        ("stage_interpolation-basic",),
    ),
)

_MSL = (
    Mutant(
        "product's operands swapped",
        "msl",
        "backends/text/spelling.py",
        'return a, "*", b',
        'return b, "*", a',
        ("matrix_mat2-basic",),
    ),
    Mutant(
        "threadgroup barrier dropped",
        "msl",
        "backends/msl/printer.py",
        'yield "threadgroup_barrier(mem_flags::mem_threadgroup);"',
        'yield ";"',
        ("shared_memory-basic",),
    ),
    Mutant(
        "halves rounded away from zero",
        "msl",
        "backends/msl/printer.py",
        '"round": "rint"',
        '"round": "round"',
        ("operators_float-basic",),
    ),
    Mutant(
        "select's arms swapped",
        "msl",
        "backends/msl/printer.py",
        'return call("select", b, a, cond)',
        'return call("select", a, b, cond)',
        ("operators_vec2-basic",),
    ),
    Mutant(
        "array layer off by one",
        "msl",
        "backends/msl/textures.py",
        'call("uint", call("rint", code))',
        'Code(f"uint(rint({code.text})) + 1u")',
        ("layers_between-basic",),
    ),
    Mutant(
        "elements of uniform arrays four bytes apart",
        "msl",
        "backends/msl/memory.py",
        "return rules is Rules.STD140 and native",
        "return False and native",
        ("layout_float_array-basic",),
    ),
    Mutant(
        "vectors of three not packed",
        "msl",
        "backends/msl/memory.py",
        "packed = is_tight(item.type, limit - offset)",
        "packed = False",
        ("layout_vec3_then_float-basic",),
    ),
    Mutant(
        "bool stored as a bool",
        "msl",
        "backends/msl/memory.py",
        "return with_scalar(t, UINT)",
        "return t",
        ("layout_runtime_bool-basic",),
    ),
    Mutant(
        "flat lost",
        "msl",
        "backends/msl/file.py",
        'if is_integer(variable.type) or variable.interpolation == "flat":',
        "if is_integer(variable.type):",
        ("stage_interpolation-basic",),
    ),
    Mutant(
        "specialization constant's default ignored",
        "msl",
        "backends/msl/file.py",
        "? {given} : {value};",
        "? {given} : {kind}(0);",
        ("spec_defaults-basic",),
    ),
    Mutant(
        "shift count not masked",
        "msl",
        "backends/msl/printer.py",
        'lambda count: binary(count, "&", mask, BIT_AND)',
        "lambda count: count",
        ("operators_ivec3-basic",),
    ),
)

_WGSL = (
    Mutant(
        "select's arms in Luma's order",
        "wgsl",
        "backends/wgsl/spelling.py",
        'return call("select", no, yes, cond)',
        'return call("select", yes, no, cond)',
        ("operators_vec2-basic",),
    ),
    Mutant(
        "workgroup barrier dropped",
        "wgsl",
        "backends/wgsl/printer.py",
        'if instr.op == "atomic_compare_exchange":\n            yield from self._exchange(body, '
        "instr, None)\n        elif",
        'if instr.op == "workgroup_barrier":\n            return\n        if',
        ("atomics_uint-basic",),
    ),
    Mutant(
        "alignment of a uniform's member forgotten",
        "wgsl",
        "backends/wgsl/forms.py",
        "extents.append(Extent(align=16) if moved else Extent())",
        "extents.append(Extent())",
        ("layout_tail_padding_memory-basic", "layout_nested_structs_memory-basic"),
    ),
    Mutant(
        "layer taken from the wrong component",
        "wgsl",
        "backends/wgsl/interface.py",
        "layer = b.part(coord, 2)",
        "layer = b.part(coord, 1)",
        ("textures_explicit-basic",),
    ),
    Mutant(
        "derivative in the wrong direction",
        "wgsl",
        "backends/wgsl/spelling.py",
        '"dfdy": "dpdy"',
        '"dfdy": "dpdx"',
        ("stage_derivatives-basic",),
    ),
    Mutant(
        "signed numbers unpacked as unsigned ones",
        "wgsl",
        "backends/wgsl/spelling.py",
        '"unpack_snorm4x8": "unpack4x8snorm"',
        '"unpack_snorm4x8": "unpack4x8unorm"',
        ("unpacking-basic",),
    ),
    Mutant(
        "noperspective lost",
        "wgsl",
        "backends/wgsl/printer.py",
        '{"noperspective": "linear", "flat": "flat"}',
        '{"flat": "flat"}',
        ("stage_interpolation-basic",),
    ),
    Mutant(
        "short circuit lost",
        "msl",
        "backends/text/code.py",
        '"and": ("&&", AND)',
        '"and": ("&", BIT_AND)',
        ("order_of_effects-none",),
    ),
    Mutant(
        "components of two vectors in the wrong order",
        "wgsl",
        "backends/wgsl/swizzles.py",
        "picked = [index for _, index in run]",
        "picked = sorted(index for _, index in run)",
        ("swizzle_stores-none",),
    ),
    Mutant(
        "specialization constant's default ignored",
        "wgsl",
        "backends/wgsl/file.py",
        "value = self.printer.literal(constant.default, scalar_of(constant.type)).text",
        "value = self.printer.literal(type(constant.default)(), scalar_of(constant.type)).text",
        ("spec_defaults-basic",),
    ),
)

_SPIRV = (
    Mutant(
        "remainder rounds down",
        "spirv",
        "backends/spirv/instructions.py",
        "quotient = body.op(Op.SDiv, type_id, a, b)",
        "return body.op(Op.SMod, type_id, a, b)",
        ("operators_int-basic",),
    ),
    Mutant(
        "shift of ints is logical",
        "spirv",
        "backends/spirv/instructions.py",
        "Op.ShiftRightArithmetic if signed else",
        "",
        ("operators_int-basic",),
    ),
    Mutant(
        "matrices decorated as row-major",
        "spirv",
        "backends/spirv/types.py",
        "Decoration.ColMajor",
        "Decoration.RowMajor",
        ("layout_mat3-basic",),
    ),
    Mutant(
        "last member's offset shifted by 4",
        "spirv",
        "backends/spirv/types.py",
        "at, Decoration.Offset, offset)",
        "at, Decoration.Offset, offset + 4 * (at == len(offsets) - 1 > 0))",
        ("layout_float_array-basic",),
    ),
    Mutant(
        "barrier dropped",
        "spirv",
        "backends/spirv/instructions.py",
        "body.effect(Op.ControlBarrier, workgroup, reach, semantics)",
        "body.effect(Op.Nop)",
        ("atomics_uint-basic",),
    ),
    Mutant(
        "discard becomes a return",
        "spirv",
        "backends/spirv/control.py",
        "body.effect(Op.Kill)",
        "body.effect(Op.Return)",
        ("textures_implicit-basic",),
    ),
    Mutant(
        "level of a texel ignored",
        "spirv",
        "backends/spirv/textures.py",
        "ImageOperands.Lod, level)",
        "ImageOperands.Lod, body.types.index(0))",
        ("textures_explicit-basic",),
    ),
    Mutant(
        "flat lost",
        "spirv",
        "backends/spirv/module.py",
        "if wish in _INTERPOLATIONS:",
        'if wish == "noperspective" or is_integer(variable.type):',
        ("stage_interpolation-basic",),
    ),
    Mutant(
        "operands of the exchange in Luma's order",
        "spirv",
        "backends/spirv/instructions.py",
        "[relaxed, *reversed(operands)]",
        "[relaxed, *operands]",
        ("atomics_int-basic",),
    ),
    Mutant(
        "bool read upside down",
        "spirv",
        "backends/spirv/memory.py",
        "return body.op(Op.INotEqual,",
        "return body.op(Op.IEqual,",
        ("layout_bools-basic",),
    ),
    Mutant(
        "select's arms swapped",
        "spirv",
        "backends/spirv/instructions.py",
        "return body.op(Op.Select, type_id, decider, then, otherwise)",
        "return body.op(Op.Select, type_id, decider, otherwise, then)",
        ("operators_vec2-none",),
    ),
    Mutant(
        "uints computed as ints",
        "spirv",
        "backends/spirv/instructions.py",
        "Kind.UINT: 2, Kind.BOOL: 3}",
        "Kind.UINT: 1, Kind.BOOL: 3}",
        ("operators_uint-none",),
    ),
)

#: What the four text targets share, each seen through one of them.
_SHARED = (
    Mutant(
        "copies at a loop's end one after the other",
        "glsl",
        "backends/text/structure.py",
        "return not any(\n            self.variables.of(leaf) == target",
        "return True or any(\n            self.variables.of(leaf) == target",
        ("control_flow-none",),
    ),
    Mutant(
        "values that live together share a variable",
        "glsl",
        "backends/text/variables.py",
        "if self._lives.get(a, 0) & self._lives.get(b, 0):",
        "if False:",
        ("control_flow-basic",),
    ),
    Mutant(
        "loop's bound included",
        "msl",
        "backends/text/code.py",
        '"lt": ("<", RELATION)',
        '"lt": ("<=", RELATION)',
        ("control_flow-basic",),
    ),
    Mutant(
        "swizzle's components in order of the alphabet",
        "glsl",
        "backends/text/spelling.py",
        'letters = "".join(COMPONENTS[i] for i in indices)',
        'letters = "".join(COMPONENTS[i] for i in sorted(indices))',
        ("control_flow-none",),
    ),
    Mutant(
        "or where and is meant",
        "hlsl",
        "backends/text/logic.py",
        'made = self._make("and", self._plain(condition), yes.value)',
        'made = self._make("or", self._plain(condition), yes.value)',
        ("order_of_effects-none", "bools-none"),
    ),
)

MUTANTS = (*_GLSL, *_HLSL, *_MSL, *_WGSL, *_SPIRV, *_SHARED)
