"""Facts: derived, and stated by the author."""

from __future__ import annotations

import re

import pytest

from luma.ir.module import Module
from luma.ir.text import parse_module, print_module
from luma.ir.verify import verify
from tests.optimizer.sources import lowered, optimized, result, work

SCALAR = "return Out { color = vec4(EXPRESSION) }"


def _work(expression: str, level: str = "aggressive", fp: str | None = None) -> list[str]:
    return work(result(SCALAR.replace("EXPRESSION", expression), level, fp))


#: What an expression comes to where something is known of its parts.
DERIVED = {
    "max(saturate(x), 0.0)": ["saturate"],
    "max(dot(normalize(v), normalize(w)), 0.0)": [
        "dot", "dot", "dot", "inversesqrt", "mul", "mul", "saturate",
    ],
    "abs(exp(x))": ["exp"],
    "sqrt(max(saturate(x) * saturate(y), 0.0))": ["mul", "saturate", "saturate", "sqrt"],
    # a guard against rounding is kept
    "acos(clamp(dot(normalize(v), normalize(w)), -1.0, 1.0))": [
        "acos", "clamp", "dot", "dot", "dot", "inversesqrt", "mul", "mul",
    ],
    "select(saturate(x) < 2.0, x, y)": [],
    "length(normalize(reflect(normalize(v), normalize(w))))": [],
    "cos(atan(x))": ["add", "inversesqrt", "mul"],
    "select(x < y, y, x)": ["max"],
    "float((u.i & 255) / 8)": ["bit_and", "convert", "load", "shr"],
    "float((u.i & 255) % 8)": ["bit_and", "convert", "load"],
    "float(u.i / 8)": ["convert", "div", "load"],
    "float(max(u.i & 7, 0))": ["bit_and", "convert", "load"],
}  # fmt: skip


@pytest.mark.parametrize(("source", "left"), DERIVED.items())
def test_derived(source: str, left: list[str]) -> None:
    assert _work(source) == left


STATED = """
    struct Scene
      @rigid view: mat4
      @affine model: mat4
      @rigid turn: mat3
      @unit sun: vec3
      @range(0.0, 1.0) haze: float
      @nonnegative count: int
      loose: vec3
    end
    uniform scene: Scene
    struct In
      @location(0) @unit normal: vec3
      @location(1) other: vec3
    end
    @entry(fragment)
    function main(i: In) -> (color: vec4)
      return { color = vec4(EXPRESSION) }
    end"""


def _stated(expression: str) -> Module:
    return lowered(STATED.replace("EXPRESSION", expression))


#: What an expression comes to with what is stated, and under strict rules.
WITH = {
    "length(i.normal)": ([], ["length"]),
    "length(i.other)": (["length"], ["length"]),
    "normalize(scene.sun).x": (["load"], ["load", "normalize"]),
    "normalize(scene.loose).x": (["load", "normalize"], ["load", "normalize"]),
    "saturate(scene.haze)": (["load"], ["load", "saturate"]),
    "float(scene.count / 4)": (["convert", "load", "shr"], ["convert", "div", "load"]),
    "(inverse(scene.turn) * i.other).x": (["load", "vec_mat"], ["inverse", "load", "mat_vec"]),
    "(transpose(inverse(scene.turn)) * i.other).x": (
        ["load", "mat_vec"],
        ["inverse", "load", "vec_mat"],
    ),
    "determinant(scene.turn)": ([], ["determinant", "load"]),
}


@pytest.mark.parametrize("source", WITH)
def test_stated(source: str) -> None:
    fast, strict = WITH[source]
    assert work(optimized(_stated(source)).function("main")) == fast
    for level, fp in (("basic", None), ("aggressive", "strict")):
        assert work(optimized(_stated(source), level, fp).function("main")) == strict


def test_an_inverse_of_what_is_rigid_is_not_computed() -> None:
    for source in ("inverse(scene.view) * vec4(i.other, 1.0)", "inverse(scene.model)[3]"):
        left = work(optimized(_stated(source)).function("main"))
        assert "inverse" not in left or "model" in source


def test_facts_of_a_struct_that_the_shader_builds_say_nothing() -> None:
    body = "(Scene { view = mat4(1.0), model = mat4(1.0), turn = mat3(1.0), sun = i.other, "
    body += "haze = 0.5, count = 1, loose = i.other }).sun"
    source = STATED.replace("EXPRESSION", "length(made.sun)")
    source = source.replace("return {", f"let made = {body.removesuffix('.sun')}\n return {{")
    assert work(optimized(lowered(source)).function("main")) == ["length"]


#: Declarations, parameters and a number, each with a fact in a place of its own; the work that is
#: left.
PLACES: dict[str, tuple[str, str, str, list[str]]] = {
    "a stage input": ("", "@FLAT @unit n: vec3", "length(n)", []),
    "an input, by components": ("", "@range(0.0, 1.0) t: vec3", "saturate(t.y)", []),
    "a builtin value": (
        "", "@builtin(sample_id) @nonnegative i: int", "float(i / 4)", ["convert", "shr"],
    ),
    "an array of inputs": ("", "@FLAT @unit n: [2]vec3", "length(n[1])", []),
    "a matrix that comes in": (
        "", "@FLAT @rigid m: mat3, v: vec3", "(inverse(m) * v).x", ["vec_mat"],
    ),
    "the second of two matrices": (
        "struct In @FLAT @rigid m: [2]mat4 end", "s: In", "determinant(s.m[1])", [],
    ),
    "a uniform": ("@unit uniform n: vec3", "", "normalize(n).x", ["load"]),
    "a push constant": (
        "@push_constant @range(0, 1) uniform t: float", "", "saturate(t)", ["load"],
    ),
    "a readonly buffer": ("@unit buffer readonly n: vec3", "", "length(n)", []),
    "elements of a readonly buffer": (
        "@unit buffer readonly n: []vec3 uniform i: int", "", "length(n[i])", [],
    ),
    "elements of a uniform": (
        "@rigid uniform m: [4]mat3 uniform i: int", "", "determinant(m[i])", [],
    ),
    "columns of a matrix": ("@rigid uniform m: mat4", "", "length(m[2])", []),
    "components of a vector": (
        "@nonnegative uniform c: ivec2", "", "float(c.y / 4)", ["convert", "load", "shr"],
    ),
    "elements of a field": (
        "struct S @unit n: [4]vec3 end uniform s: S uniform i: int", "", "length(s.n[i])", [],
    ),
    "a field in an array of structs": (
        "struct S @unit n: vec3 k: float end buffer readonly s: []S uniform i: int", "",
        "length(s[i].n) + s[2].k", ["add", "load"],
    ),
    "a field of a struct that is copied": (
        "struct S @unit n: vec3 k: float end uniform s: S "
        "function f(s: S) -> float let t = s return length(t.n) + t.k end", "",
        "f(s)", ["add", "load"],
    ),
    "a parameter": (
        "function f(@unit n: vec3) -> float return length(n) end", "v: vec3", "f(v)", [],
    ),
    "a parameter that is handed on": (
        "function g(n: vec3) -> float return length(n) end "
        "function f(@unit n: vec3) -> float return g(-n) end", "v: vec3", "f(v)", [],
    ),
    "a matrix that is a parameter": (
        "function f(@rigid m: mat3, v: vec3) -> vec3 return inverse(m) * v end uniform m: mat3",
        "v: vec3", "f(m, v).x", ["load", "vec_mat"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_where_facts_stand(place: str) -> None:
    declarations, parameters, value, left = PLACES[place]
    source = f"""{declarations}
        @entry(fragment)
        function main({parameters}) -> (color: vec4)
          return {{ color = vec4({value}) }}
        end"""
    source = source.replace("@FLAT", "@interpolation(flat)")
    module = lowered(source)
    assert parse_module(print_module(module)) == module
    assert work(optimized(module).function("main")) == left
    unstated = lowered(re.sub(r"@(unit|rigid|nonnegative|range\(.*?\)) ", "", source))
    assert len(work(optimized(unstated).function("main"))) >= len(left)
    assert work(optimized(unstated).function("main")) != left
    for level, fp in (("aggressive", "strict"), ("basic", "fast"), ("basic", "strict")):
        with_facts, without = (optimized(m, level, fp) for m in (module, unstated))
        assert work(with_facts.function("main")) == work(without.function("main"))


def test_a_function_that_is_called_knows_its_parameters() -> None:
    lines = "\n".join(f"  s = s * x + sin(s) * length(n * {k}.5)" for k in range(9))
    source = f"""
        function f(@unit n: vec3, x: float) -> float
          let s = length(n)
        {lines}
          return s
        end
        @entry(fragment)
        function main(a: vec3, b: vec3) -> (color: vec4)
          return {{ color = vec4(f(a, a.x) + f(b, b.x) + f(a - b, a.y)) }}
        end"""
    for text, lengths in ((source, 0), (source.replace("@unit ", ""), 1)):
        module = optimized(lowered(text))
        assert work(module.function("main")).count("call") == 3
        assert work(module.function("f")).count("length") == lengths


#: Where nothing may be taken for granted: the value whose length is asked has any.
UNSOUND = {
    "a struct that is made": """
        struct S @unit n: vec3 k: float end
        function f(s: S) -> float return length(s.n) + s.k end
        ENTRY let color = f(S { n = v, k = 1.0 })""",
    "a field that is set": """
        struct S @unit n: vec3 k: float end
        uniform s: S
        ENTRY let t = s  t.n = v  let color = length(t.n) + t.k""",
    "a field that is set in an array": """
        struct S @unit n: vec3 k: float end
        uniform s: [4]S
        uniform i: int
        ENTRY let t = s  t[i].n = v  let color = length(t[i].n) + t[1].k""",
    "memory that is written": """
        struct S @unit n: vec3 k: float end
        buffer storage s: []S
        uniform i: int
        ENTRY s[0].n = v  let color = length(s[i].n)""",
    "memory that another invocation may write": """
        struct S @unit n: vec3 k: float end
        buffer storage s: S
        ENTRY let color = length(s.n)  s.n = v""",
    "memory that another entry point writes": """
        struct S @unit n: vec3 k: float end
        buffer storage s: S
        @entry(compute) @workgroup_size(1) function fill() s.n = vec3(3.0) end
        ENTRY let color = length(s.n)""",
    "shared memory": """
        struct S @unit n: vec3 k: float end
        shared s: S
        ENTRY s.n = v  workgroup_barrier()  let color = length(s.n)""",
    "a parameter that is changed": """
        function f(@unit n: vec3, v: vec3) -> float n = n + v return length(n) end
        ENTRY let color = f(w, v)""",
    "an argument beside the call": """
        function f(@unit n: vec3) -> float return length(n) end
        ENTRY let color = length(v)  if color > 0.9 and color < 1.1 then color = f(v) end""",
    "an argument in another arm": """
        function f(@unit n: vec3) -> float return dot(n, n) end
        ENTRY let color = 0.0  if w.x > 0.5 then color = f(v) else color = length(v) end""",
}


@pytest.mark.parametrize("source", UNSOUND.values(), ids=UNSOUND)
def test_where_nothing_is_known(source: str) -> None:
    fragment = "@entry(fragment) function main(v: vec3, w: vec3) -> (color: vec4) "
    ending = " return { color = vec4(color) } end"
    if "shared" in source:
        fragment = (
            "buffer readonly v: vec3 buffer writeonly out: float "
            "@entry(compute) @workgroup_size(1) function main() "
        )
        ending = " out = color end"
    module = lowered(source.replace("ENTRY", fragment) + ending)
    assert "length" in work(optimized(module).function("main"))


def test_inputs_are_not_mixed_up() -> None:
    source = """
        @entry(fragment)
        function main(
            @interpolation(flat) @rigid a: mat3, @interpolation(flat) @rigid b: mat3
        ) -> (color: vec4)
          return { color = vec4(determinant(mat3(COLUMNS))) }
        end"""
    for columns, left in (
        ("b[0], b[1], b[2]", []),
        ("a[1], a[2], b[0]", ["determinant"]),
        ("a[1], a[0], a[2]", ["determinant"]),
        ("a[0], a[1], b[2]", ["determinant"]),
    ):
        module = lowered(source.replace("COLUMNS", columns))
        assert work(optimized(module).function("main")) == left


@pytest.mark.parametrize(("type", "end", "decided"), [
    ("float", "0.3", False), ("half", "0.3", False), ("half", "0.25", True), ("half", "1e9", False),
])  # fmt: skip
def test_the_end_of_a_range_is_a_number_of_the_type(type: str, end: str, decided: bool) -> None:
    source = f"""
        @range(-1e9, {end}) uniform x: {type}
        @entry(fragment)
        function main() -> (color: vec4)
          return {{ color = vec4(select(x < {type}(0.3), 1.0, 2.0)) }}
        end"""
    left = work(optimized(lowered(source)).function("main"))
    assert ("lt" not in left) == decided


@pytest.mark.parametrize("type", ["int", "uint", "ivec3"])
def test_ranges_beyond_what_integers_hold(type: str) -> None:
    source = f"""
        @range(-1e30, 1e30) uniform i: {type}
        @entry(fragment)
        function main() -> (color: vec4)
          return {{ color = vec4(float({"i.x" if "vec" in type else "i"} / 4)) }}
        end"""
    left = work(optimized(lowered(source)).function("main"))
    assert left == ["convert", "div", "load"]


def test_facts_are_written_and_read_as_text() -> None:
    module = _stated("scene.haze")
    text = print_module(module)
    assert "sun: vec3 @unit" in text and "haze: float @range(0.0, 1.0)" in text
    again = parse_module(text)
    assert again == module
    assert again.function("main").params[0].facts == module.function("main").params[0].facts != ()


@pytest.mark.parametrize("wrong", ["@lucky", "@range(0.0)", "@range(1.0, 0.0)", "@", "@unit()"])
def test_text_with_facts_that_are_none_is_refused(wrong: str) -> None:
    text = print_module(_stated("scene.haze")).replace("@range(0.0, 1.0)", wrong)
    with pytest.raises(ValueError, match="line"):
        parse_module(text)


@pytest.mark.parametrize(
    ("right", "wrong", "problem"),
    [
        ('%1 "x": float @nonnegative', '%1 "x": float @unit', "@unit is about a vector of floats"),
        ('%0 "v": vec3 @unit', '%0 "v": vec3 @rigid', "@rigid is about a mat3 or mat4, not vec3"),
        ('%0 "v": vec3 @unit', '%0 "v": vec3 @rigid column(3)', "vec3 is no column 3"),
        ('%0 "v": vec3 @unit', '%0 "v": vec3 @unit column(1)', "not mat3"),
        ("i: int @range(0.0, 3.0)", "i: int @range(0.25, 0.75)", "no int is at least 0.25"),
        ("n: [2]vec3 @unit", "n: [2]vec3 @affine", "@affine is about a mat4"),
    ],
)
def test_facts_in_text_are_verified(right: str, wrong: str, problem: str) -> None:
    text = print_module(
        lowered("""
            struct S @range(0, 3) i: int end
            @unit uniform n: [2]vec3
            uniform s: S
            function f(@unit v: vec3, @nonnegative x: float) -> float
              return v.x + x + n[s.i].y
            end
            @entry(fragment)
            function main(w: vec3) -> (color: vec4)
              return { color = vec4(f(w, 1.0)) }
            end""")
    )
    assert verify(parse_module(text)) == []
    assert right in text
    (found,) = verify(parse_module(text.replace(right, wrong)))
    assert problem in found
