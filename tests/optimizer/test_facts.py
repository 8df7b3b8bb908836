"""Facts: derived, and stated by the author."""

from __future__ import annotations

import pytest

from luma.ir.module import Module
from luma.ir.text import parse_module, print_module
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
