"""The typed tree: what the checker makes of a source, and what it says about a bad one."""

from __future__ import annotations

import re

import pytest

from luma.diagnostics import Diagnostic
from luma.frontend import typed
from luma.language.types import BOOL, FLOAT, INT, UINT, Matrix, Vector
from tests.frontend.checking import in_function, module, run, statement, value

VEC2, VEC3, IVEC2 = Vector(FLOAT, 2), Vector(FLOAT, 3), Vector(INT, 2)


def shape(node: typed.Expression) -> str:
    """A typed expression in brief."""
    match node:
        case typed.Literal():
            return f"{node.value}:{node.type}"
        case typed.LocalRef():
            return node.local.name
        case typed.BindingRef():
            return f"@{node.binding.name}"
        case typed.ConstantRef() | typed.SpecRef():
            return f"#{node.constant.name}"
        case typed.FieldOf():
            return f"{shape(node.base)}.{node.index}"
        case typed.ElementOf():
            return f"{shape(node.base)}[{shape(node.index)}]"
        case typed.SwizzleOf():
            return f"{shape(node.base)}.{''.join('xyzw'[c] for c in node.components)}"
        case typed.Operation():
            return f"{node.operation}({', '.join(map(shape, node.arguments))})"
        case typed.Equality():
            return f"{shape(node.left)} {'!=' if node.negated else '=='} {shape(node.right)}"
        case typed.ShortCircuit():
            return f"{shape(node.left)} {'or' if node.disjunction else 'and'} {shape(node.right)}"
        case typed.Splat():
            return f"splat {shape(node.value)}"
        case typed.Convert():
            return f"{node.type}<-{shape(node.value)}"
        case typed.Construct():
            order = "" if node.order is None else f"{node.order}"
            return f"{node.type}{order}{{{', '.join(map(shape, node.arguments))}}}"
        case typed.Diagonal():
            return f"{node.type} diagonal {shape(node.value)}"
        case typed.Resize():
            return f"{node.type} resize {shape(node.value)}"
        case typed.CallOf():
            return f"{node.function.name}!({', '.join(map(shape, node.arguments))})"
        case typed.Old():
            return "old"


@pytest.mark.parametrize(("source", "expected"), [
    ("3", "3.0:float"),
    ("i + 1", "add(i, 1:int)"),
    ("1 + n", "add(1:uint, n)"),
    ("v3 * 2", "mul(v3, splat 2.0:float)"),
    ("x / v3", "div(splat x, v3)"),
    ("x % y", "mod(x, y)"),
    ("i % j", "rem(i, j)"),
    ("i ~ j", "bit_xor(i, j)"),
    ("iv2 << 1", "shl(iv2, splat 1:int)"),
    ("~i", "bit_not(i)"),
    ("-5 - x", "sub(-5.0:float, x)"),
    ("-v3", "neg(v3)"),
    ("m3 * v3", "mat_vec(m3, v3)"),
    ("v3 * m3", "vec_mat(v3, m3)"),
    ("m3 * m3", "mat_mat(m3, m3)"),
    ("m3 * 2", "mat_scale(m3, 2.0:float)"),
    ("x * m3", "mat_scale(m3, x)"),
    ("m3 / x", "div(m3, x)"),
    ("m3 + m3", "add(m3, m3)"),
    ("i <= 3", "le(i, 3:int)"),
    ("v3 != v3", "v3 != v3"),
    ("b and not c or i == j", "b and not(c) or i == j"),
    ("v4.bgr", "v4.zyx"),
    ("v4.q", "v4.w"),
    ("pp[1].at.y", "pp[1:int].0.y"),
    ("tail.items[i].weight", "@tail.1[i].1"),
    ("TABLE[2]", "#TABLE[2:int]"),
    ("STEPS + 1", "add(#STEPS, 1:int)"),
    ("half_of(2)", "half_of!(2.0:float)"),
    ("float(x)", "x"),
    ("float(i)", "float<-i"),
    ("int(2.5)", "int<-2.5:float"),
    ("bool(1)", "bool<-1:int"),
    ("vec2(3)", "splat 3.0:float"),
    ("vec2(i)", "splat float<-i"),
    ("vec3(iv2, x)", "vec3{vec2<-iv2, x}"),
    ("ivec2(v2)", "ivec2<-v2"),
    ("vec2(v2)", "v2"),
    ("mat2(2)", "mat2 diagonal 2.0:float"),
    ("mat2(i)", "mat2 diagonal float<-i"),
    ("mat2(m4)", "mat2 resize m4"),
    ("mat2(m2)", "m2"),
    ("mat2(v2, iv2)", "mat2{v2, vec2<-iv2}"),
    ("mat3x2(1, 2, 3, 4, 5, i)",
     "mat3x2{vec2{1.0:float, 2.0:float}, vec2{3.0:float, 4.0:float}, vec2{5.0:float, float<-i}}"),
    ("Point { at = v2, weight = 1 }", "Point{v2, 1.0:float}"),
    ("Point { weight = x, at = v2 }", "Point(1, 0){x, v2}"),
    ("[2]int { 1, i }", "[2]int{1:int, i}"),
    ("clamp(v3, 0, 1)", "clamp(v3, splat 0.0:float, splat 1.0:float)"),
    ("clamp(n, 10, 100)", "clamp(n, 10:uint, 100:uint)"),
    ("step(0.5, v2)", "step(splat 0.5:float, v2)"),
    ("mix(0, v3, x)", "mix(splat 0.0:float, v3, splat x)"),
    ("pow(v2, 2)", "pow(v2, splat 2.0:float)"),
    ("select(b, 1, i)", "select(b, 1:int, i)"),
    ("less_than(v2, v2)", "lt(v2, v2)"),
    ("not_equal(iv2, iv2)", "ne(iv2, iv2)"),
    ("none(bv2)", "not(any(bv2))"),
    ("bit_count(7)", "bit_count(7:int)"),
    ("sample_level(tex, v2, 0)", "sample_level(@tex, v2, 0.0:float)"),
    ("sample_level(plain, smp, v2, x)", "sample_level(@plain, @smp, v2, x)"),
    ("texel_fetch(tex, ivec2(1, 2), 0)", "texel_fetch(@tex, ivec2{1:int, 2:int}, 0:int)"),
    ("texture_size(cube, 0)", "texture_size(@cube, 0:int)"),
    ("atomic_add(tail.count, 1)", "atomic_add(@tail.0, 1:uint)"),
    ("array_length(tail.items)", "array_length(@tail.1)"),
])  # fmt: skip
def test_expression(source: str, expected: str) -> None:
    assert shape(value(source)) == expected


@pytest.mark.parametrize(
    ("annotation", "source", "expected"),
    [
        ("int", "2 + 3 * 4", "add(2:int, mul(3:int, 4:int))"),
        ("uint", "(1 + 2) << 3", "shl(add(1:uint, 2:uint), 3:uint)"),
        ("int", "max(1, -2)", "max(1:int, -2:int)"),
        ("half", "sqrt(2) * 3", "mul(sqrt(2.0:half), 3.0:half)"),
        ("int", "-2147483648", "-2147483648:int"),
        ("ivec2", "3 * ivec2(1)", "mul(splat 3:int, splat 1:int)"),
        ("int", "select(b, 1, 2)", "select(b, 1:int, 2:int)"),
        ("bool", "1 < 2", "lt(1.0:float, 2.0:float)"),
        ("Point", "{ weight = 1, at = v2 }", "Point(1, 0){1.0:float, v2}"),
        ("int", "int(x * 2) + 1", "add(int<-mul(x, 2.0:float), 1:int)"),
    ],
)
def test_annotations_reach_literals(annotation: str, source: str, expected: str) -> None:
    assert shape(value(source, annotation)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x += 2", "x = add(old, 2.0:float)"),
        ("v3 *= x", "v3 = mul(old, splat x)"),
        ("v3.zx -= v2", "v3.zx = sub(old, v2)"),
        ("v3 *= m3", "v3 = vec_mat(old, m3)"),
        ("m3 *= x", "m3 = mat_scale(old, x)"),
        ("a[i] %= 3", "a[i] = mod(old, 3.0:float)"),
        ("counters[i] += 1", "@counters[i] = add(old, 1:uint)"),
        ("tail.items[n].at.x = 1", "@tail.1[n].0.x = 1.0:float"),
        ("p.at = vec2(1)", "p.0 = splat 1.0:float"),
    ],
)
def test_assignment(source: str, expected: str) -> None:
    found = statement(source)
    assert isinstance(found, typed.Assign)
    assert f"{shape(found.place)} = {shape(found.value)}" == expected


def test_loops() -> None:
    loop = statement("for q = 10, 0, -FOUR / 2 do touch(q) end")
    assert isinstance(loop, typed.For)
    assert (loop.local.type, loop.step, loop.unroll) == (INT, -2, None)
    for source, unroll in (("@unroll", typed.Unroll.FULL), ("@unroll(FOUR * 2)", 8)):
        loop = statement(f"{source} for q = 0, n do n = q end")
        assert isinstance(loop, typed.For)
        assert (loop.local.type, shape(loop.start), loop.unroll) == (UINT, "0:uint", unroll)
    forever = statement("@max_iterations(9) while b do touch(1) end")
    assert isinstance(forever, typed.While)
    assert forever.limit == 9


def test_an_elseif_is_an_if_in_the_else() -> None:
    found = statement("if b then touch(1) elseif c then touch(2) else touch(3) end")
    assert isinstance(found, typed.If)
    inner = found.otherwise[0]
    assert isinstance(inner, typed.If)
    assert (len(found.then), len(inner.then), len(inner.otherwise)) == (1, 1, 1)


def test_what_is_never_reached_is_dropped() -> None:
    found = {f.name: f for f in module("function f() -> int return 1 let _q = 2 end").functions}
    assert len(found["f"].body) == 1


def test_callees_come_first() -> None:
    source = "function a() b() c() end function b() c() end function c() end function d() a() end"
    assert [f.name for f in module(source).functions] == ["c", "b", "a", "d"]


def test_constants_have_their_values() -> None:
    source = """
        const LAST: int = FIRST + 1  const FIRST: int = 2 + 3 * 4
        const WRAP: int = 2147483647 + 1  const SHIFT: uint = 1 << 33
        const DIV: int = -7 / 2  const REM: int = -7 % 2  const MOD: float = -0.5 % 2
        const TENTH: float = 0.1  const THIRD: half = 1.0 / 3.0
        const V: vec3 = vec3(1, 2, 3).zyx * 2  const M: mat2 = mat2(1, 2, 3, 4) * 2 / 4
        const PRODUCT: vec2 = mat2(1, 2, 3, 4) * vec2(1, 10)  const CUT: mat2x3 = mat2x3(mat3(5))
        const T: [2]int = [2]int { 5, 6 }  const PICK: int = T[1]
        const B: bool = 1 < 2 and vec2(1) == vec2(1, 1)  const Q: int = select(B, int(2.75), 0)
    """
    found = {c.name: c.value for c in module(source).constants}
    assert found == {
        "LAST": 15, "FIRST": 14, "WRAP": -2147483648, "SHIFT": 2, "DIV": -3, "REM": -1, "MOD": 1.5,
        "TENTH": 0.10000000149011612, "THIRD": 0.333251953125,
        "V": (6.0, 4.0, 2.0), "M": ((0.5, 1.0), (1.5, 2.0)), "PRODUCT": (31.0, 42.0),
        "CUT": ((5.0, 0.0, 0.0), (0.0, 5.0, 0.0)), "T": (5, 6), "PICK": 6, "B": True, "Q": 2,
    }  # fmt: skip


def test_constants_are_folded_in_binary32() -> None:
    found = module("const A: float = 16777216 + 1  const B: float = 0.1 + 0.2").constants
    assert [c.value for c in found] == [16777216.0, 0.30000001192092896]


def test_spec_constants_keep_their_defaults() -> None:
    (found,) = module("@spec(3 + 4) const N: uint = 2 * 8").spec_constants
    assert (found.name, found.type, found.value, found.id) == ("N", UINT, 16, 7)


def test_types_of_values() -> None:
    assert value("v3.xy").type == VEC2
    assert value("iv2 + 1").type == IVEC2
    assert value("m32 * v3").type == VEC2
    assert value("m2 * m32").type == Matrix(3, 2)
    assert value("transpose(m32)").type == Matrix(2, 3)
    assert value("outer_product(v2, v3)").type == Matrix(3, 2)
    assert value("v3 == v3").type == BOOL
    assert value("equal(v3, v3)").type == Vector(BOOL, 3)
    assert value("find_lsb(n)").type == INT
    assert value("sample_compare(shadow, v2, x)").type == FLOAT


# ---------------------------------------------------------------- what is said


def only(source: str) -> Diagnostic:
    """The one error that a source gives."""
    (found,) = (d for d in run(source)[1] if d.code.startswith("E"))
    return found


def under(found: Diagnostic) -> str:
    """The text that a diagnostic points at."""
    assert found.span is not None
    return found.span.text[found.span.col_start - 1 : found.span.col_end - 1]


@pytest.mark.parametrize(("statements", "place", "message", "help_"), [
    ("let q: int = x", "x", "the value of `q` must be of type int, and this is float", "write `int(x)`"),
    ("let q = i + x", "i + x", "`+` cannot take int and float", "write `float(i)`"),
    ("let q = 0.5 * i", "0.5", "has a fraction or exponent, and the other side is int", "write `float(i)`"),
    ("let q = iv2 + 0.5", "0.5", "the other side is ivec2", "write `vec2(iv2)`"),
    ("let q = n + i", "n + i", "`+` cannot take uint and int", "write `uint(i)`"),
    ("let q = v3 * i", "v3 * i", "`*` cannot take vec3 and int", "write `float(i)`"),
    ("let q: vec2 = v3", "v3", "must be of type vec2", "write `v3.xy`"),
    ("let q: vec3 = x", "x", "must be of type vec3", "write `vec3(x)`"),
    ("let q = colr", "colr", "no variable `colr`", None),
    ("let weight = 1.0  let q = wieght", "wieght", "no variable", "did you mean `weight`?"),
    ("let q = half_off(x)", "half_off", "no function `half_off`", "did you mean `half_of`?"),
    ("let q = lerp(x, y, 1)", "lerp", "no function `lerp`", "`mix`"),
    ("let q: float3 = v3", "float3", "no type `float3`", "`vec3`"),
    ("let q = p.wieght", "wieght", "struct `Point` has no field `wieght`", "did you mean `weight`?"),
    ("let q = v3.xg", "xg", "mixes letters", None),
    ("let q = v2.z", "z", "a vec2 has no component `z`", "x, y"),
    ("let q = x.xx", "xx", "a float has no components", "`vec2(x)`"),
    ("let q = a[4]", "4", "index 4 is out of range: a [4]float has elements 0 to 3", None),
    ("let q = a[x]", "x", "an index must be an int or uint, and this is float", "`int(x)`"),
    ("let q = max(i, n)", "max(i, n)", "the arguments of `max` do not agree: int, uint", "write `int(n)`"),
    ("let q = sin(i)", "i", "argument 1 of `sin` must be a float or half", "write `float(i)`"),
    ("let q = length(x)", "x", "must be a vector", "`abs(x)`"),
    ("let q = half_of(i)", "i", "parameter `x` of `half_of` is of type float", "`float(i)`"),
    ("let q = sample_level(plain, v2, 0)", "sample_level(plain, v2, 0)", "takes 4 arguments, and 3 are given",
     "sample_level(texture, sampler, coordinates, number)"),
    ("let q = v2 < v2", "v2 < v2", "`<` compares scalars", "less_than"),
    ("let q = not i", "i", "`not` takes a bool", "`i != 0`"),
    ("if i then end", "i", "a condition must be a bool", "`i != 0`"),
    ("let q: int = 2147483648", "2147483648", "does not fit in an int", "a uint could hold it"),
    ("let q: int = 2.5", "2.5", "has a fraction", "`int(2.5)`"),
    ("FOUR = 3", "FOUR", "`FOUR` is a const", "let"),
    ("for q = 0, i do touch(q) end", "i", "must be known before the shader runs", "@unroll(N)"),
    ("let q = Point { at = v2 }", "Point { at = v2 }", "field `weight` of struct `Point` is missing", "every field"),
    ("let q = Point(v2, x)", "Point", "`Point` is a struct", "Point { at = ..., weight = ... }"),
    ("m3 *= v3", "m3 *= v3", "`*=` gives vec3 here, and `m3` is mat3", None),
])  # fmt: skip
def test_messages(statements: str, place: str, message: str, help_: str | None) -> None:
    found = only(in_function(statements))
    assert under(found) == place
    assert message in found.message
    assert (help_ or "") in (found.help or "")


def test_notes_show_the_declaration() -> None:
    found = only("struct S a: float end\nfunction f(s: S) -> float return s.b end")
    (note,) = found.notes
    assert note.message == "`S` is declared here"
    assert note.span is not None and note.span.line_start == 1


def test_tuple_results_are_called_by_their_function() -> None:
    entry = "@entry(fragment) function f() -> (color: vec4) return {} end"
    found = only(entry.replace("{}", "vec4(1)"))
    assert (found.message, found.help) == (
        "the outputs have names, and this is vec4",
        "write `return { color = ... }`",
    )
    assert "field `color` of the result of `f` is missing" in only(entry).message
    found = only(entry.replace("{}", "{ colour = vec4(1) }"))
    assert found.message == "the result of `f` has no field `colour`"
    assert found.help == "did you mean `color`?"
    found = only(entry.replace("return {}", "color = vec4(1) return { color = vec4(1) }"))
    assert "return { color = ... }" in (found.help or "")


def test_a_missing_return_is_shown_where_the_path_is_open() -> None:
    found = only("function f(x: float) -> float\n if x > 0 then\n  return 1\n end\nend")
    assert under(found) == "if x > 0"
    found = only("function f(x: float) -> float\n if x > 0 then return 1 else\n  x = 2\n end\nend")
    assert under(found) == "x = 2"
    found = only("function f(x: float) -> float\n x = 2\nend")
    assert under(found) == "end"


def test_recursion_prints_the_cycle() -> None:
    found = only("function a() b() end\nfunction b() c() end\nfunction c() a() end")
    assert "a -> b -> c -> a" in found.message
    assert [n.message for n in found.notes] == ["`a` calls `b` here", "`b` calls `c` here"]


def test_a_stage_error_is_shown_at_the_entry_points_call() -> None:
    found = only(
        "uniform t: sampler2D\n"
        "function inner(uv: vec2) -> vec4 return sample(t, uv) end\n"
        "function outer(uv: vec2) -> vec4 return inner(uv) end\n"
        "@entry(vertex) function v(uv: vec2) -> (@builtin(position) p: vec4)\n"
        " return { p = outer(uv) } end"
    )
    assert under(found) == "outer(uv)"
    assert [n.message for n in found.notes] == ["`inner` is called here", "`sample` is used here"]
    assert "sample_level" in (found.help or "")


def test_every_error_is_reported_in_the_order_of_the_text() -> None:
    found = run("function f() let a = b let c = d end\nstruct S x: nothing end")[1]
    assert [re.sub(r".*`(\w+)`.*", r"\1", d.message) for d in found] == ["b", "d", "nothing"]


def test_included_functions_need_not_be_called() -> None:
    from luma.diagnostics import Reporter
    from luma.frontend.check import check
    from luma.frontend.parser import parse
    from luma.frontend.preprocess import preprocess

    files = {"lib.luma": "function spare() end\n"}
    source = '#include "lib.luma"\n@entry(fragment) function f() end\n'
    expanded, found = preprocess(source, "main.luma", include_dirs=(), file_reader=files.get)
    assert found == ()
    reporter = Reporter(expanded)
    assert check(parse(expanded, reporter), reporter) is not None
    assert reporter.diagnostics == ()
