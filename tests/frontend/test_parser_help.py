"""What the parser proposes, and that one slip gives one error."""

from __future__ import annotations

import pytest

from luma.diagnostics import Diagnostic
from tests.frontend.test_parser_errors import errors_of


def only(text: str) -> Diagnostic:
    """The one error of a text."""
    found, _ = errors_of(text)
    assert len(found) == 1, "\n".join(d.render() for d in found)
    return found[0]


def in_function(text: str, result: str = " -> float") -> str:
    """Statements in a function."""
    return f"function f(x: float){result}\n{text}\nend\n"


# ---------------------------------------------------------------- names and types


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("function f(x int) end", "`x: int`"),
        ("function f(float x) end", "`x: float`"),
        ("function f(x [4]float) end", "`x: [4]float`"),
        ("function f(float x[4]) end", "`x: [4]float`"),
        ("function f(x float3) end", "`x: float3`"),
        ("function f(foo bar) end", "`bar: foo`"),
        ("struct Light a: int end function f(p Light) end", "`p: Light`"),
        ("struct Light a: int end function f(Light p) end", "`p: Light`"),
        ("function f() -> (color vec4) end", "`color: vec4`"),
        ("struct S a vec3 b: int end", "`a: vec3`"),
        ("uniform m mat4", "`uniform m: mat4`"),
        ("uniform mat4 m", "`uniform m: mat4`"),
        ("const N int = 4", "`const N: int = ...`"),
        ("const int N = 4", "`const N: int = ...`"),
        (in_function("let n int = 4"), "`let n: int = ...`"),
        (in_function("let int n = 4"), "`let n: int = ...`"),
        (in_function("int n = 4"), "`let n: int = ...`"),
        (in_function("n int = 4"), "`let n: int = ...`"),
        (in_function("float w[3] = a"), "`let w: [3]float = ...`"),
    ],
)
def test_a_name_and_a_type_without_a_colon(text: str, help: str) -> None:
    assert help in (only(text).help or "")


# ---------------------------------------------------------------- misspelt keywords


@pytest.mark.parametrize(
    ("text", "keyword"),
    [
        ("fucntion f(x: bool) -> bool return x end", "function"),
        ("Function f() end", "function"),
        ("@entry(vertex) funtion f() end", "function"),
        ("strcut S a: int end", "struct"),
        ("unifrom u: float", "uniform"),
        ("bufer storage b: []float", "buffer"),
        ("cosnt N: int = 1", "const"),
        ("sharde s: int", "shared"),
        ("struct S a: int edn", "end"),
        ("function f() edn", "end"),
        ("function f() endfunction", "end"),
        (in_function("retrun x"), "return"),
        (in_function("retrun -x"), "return"),
        (in_function("retrun", ""), "return"),
        (in_function("lte y = x"), "let"),
        (in_function("LET y: float = x"), "let"),
        (in_function("fi x > 1.0 then x = 1.0 end"), "if"),
        (in_function("fi (x > 1.0) then x = 1.0 end"), "if"),
        (in_function("If x > 1.0 then x = 1.0 end"), "if"),
        (in_function("if x > 1.0 tehn x = 1.0 end"), "then"),
        (in_function("if x > 1.0 then x = 1.0 esle x = 2.0 end"), "else"),
        (in_function("if x > 1.0 then x = 1.0\nelsfi x > 2.0 then x = 2.0 end"), "elseif"),
        (in_function("if x > 1.0 then x = 1.0\nendif"), "end"),
        (in_function("whlie x > 1.0 do x = 1.0 end"), "while"),
        (in_function("fro i = 0, 4 do x = 1.0 end"), "for"),
        (in_function("for i = 0, 4 od x = 1.0 end"), "do"),
    ],
)
def test_a_misspelt_keyword_is_one_error(text: str, keyword: str) -> None:
    error = only(text + "\nconst last: int = 1\n")
    assert (error.code, error.help) == ("E0201", f"did you mean `{keyword}`?")


@pytest.mark.parametrize(
    "text",
    [
        "lte = 3.0",
        "fro.x = 1.0",
        "ends[0] = 1.0",
        "whle(x)",
        "retrun(x)",
        "els += 1.0",
        "structs.uniforms = 2.0",
    ],
)
def test_names_like_keywords_are_names(text: str) -> None:
    assert errors_of(in_function(text))[0] == ()


# ---------------------------------------------------------------- comparisons


@pytest.mark.parametrize(
    "text",
    [
        "if a = 2 then end",
        "if x > 1.0 then elseif a = 2 then end",
        "while a = 2 do end",
        "if (a = 2) then end",
        "let b = a = 2",
        "b = a = 2",
        "b = c[a = 2]",
        "return a = 2",
        "return S { hit = a = 2 }",
        "touch(a = 2)",
    ],
)
def test_an_assignment_where_a_comparison_is_meant(text: str) -> None:
    assert "compare with `==`" in (only(in_function(text)).help or "")


# ---------------------------------------------------------------- values of the module


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("local y = 3", "`const y: int = 3`"),
        ("local y: uint = 3", "`const y: uint = 3`"),
        ("local float y = 3", "`const y: float = 3`"),
        ("let y = 3.5", "`const y: float = 3.5`"),
        ("let y = -3", "`const y: int = -3`"),
        ("let y = g(3)", "`const y: T = g(3)`"),
        ("var y = true", "`const y: bool = true`"),
        ("float y = 3.0", "`const y: float = 3.0`"),
        ("y float = 3.0", "`const y: float = 3.0`"),
        ("static vec2 y = vec2(1.0)", "`const y: vec2 = vec2(1.0)`"),
        ("local y = ivec2(1)", "`const y: ivec2 = ivec2(1)`"),
        ("float y", "`uniform y: float`"),
    ],
)
def test_a_variable_of_the_module(text: str, help: str) -> None:
    found, tree = errors_of(f"{text}\nfunction last() end")
    assert [d.code for d in found] in (["E0204"], ["E0208"])
    assert help in (found[0].help or "") and "last" in tree


# ---------------------------------------------------------------- methods and lists of values


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("math.sin(x)", "`sin(x)`"),
        ("math.max(sin(x), 2.0)", "`max(sin(x), 2.0)`"),
        ("math.fmod(x, 2.0)", "`%`"),
        ("v.length()", "`length(v)`"),
        ("v.xy.dot(w)", "`dot(v.xy, w)`"),
        ("tex.Sample(smp, uv)", "`sample(tex, smp, uv)`"),
        ("tex.SampleLevel(smp, uv, 0.0)", "`sample_level(tex, smp, uv, 0.0)`"),
    ],
)
def test_modules_and_methods(text: str, help: str) -> None:
    error = only(in_function(f"return {text}"))
    assert error.code == "E0213" and help in (error.help or "")


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("function f() -> vec3 return {1.0, 2.0, 3.0} end", "`vec3(1.0, 2.0, 3.0)`"),
        ("function f() -> [2]int return {1, 2} end", "`[2]int { 1, 2 }`"),
        ("function f() -> Light return {1, 2} end", "`Light { field = value, ... }`"),
        ("function f() -> (a: vec4) return {x} end", "`{ name = value, ... }`"),
        ("function f() let v: vec2 = {1.0, 2.0} end", "`vec2(1.0, 2.0)`"),
        ("function f() let v = {1, 2} end", "`vec2(1, 2)`"),
        ("function f() let v = {1, 2} end", "`[2]float { 1, 2 }`"),
        ("function f() let v = Light {1, 2} end", "`Light { field = value, ... }`"),
        ("function f() let v = g(vec2 {1, 2}) end", "`vec2(1, 2)`"),
    ],
)
def test_values_without_names(text: str, help: str) -> None:
    assert help in (only(f"{text}\nconst last: int = 1").help or "")


def test_a_division_of_lua_is_one_error() -> None:
    assert only("function f(x: int) -> int return x // 2 end").code == "E0113"
    inside = "if x // 2.0 > 1.0 then return f(x // 2.0) end"
    assert [d.code for d in errors_of(in_function(inside))[0]] == ["E0113", "E0113"]
