"""Names for what the author left unnamed, and the tidying that keeps the author's where they say
something.
"""

from __future__ import annotations

import pytest
from luma.backends import EmitOptions
from luma.backends.glsl import BACKEND
from luma.backends.text.wrapping import WIDTH, wrapped

from tests.backends.glsl_support import function_of
from tests.harness.compile import optimized
from tests.harness.validators import glsl_to_spirv


def main_of(body: str, *, level: str = "basic") -> list[str]:
    """The lines of a compute shader's main, valid for glslangValidator."""
    source = (
        "struct Wave pace: float ends: vec2 end\n"
        "uniform wave: Wave\nbuffer storage f: []float\n"
        "@entry(compute) @workgroup_size(4)\n"
        f"function main(@builtin(local_invocation_index) lane: uint)\n{body}\nend\n"
    )
    text = BACKEND.emit(optimized(source, "main", level), EmitOptions()).output.decode()
    glsl_to_spirv(text, "compute")
    return [line.strip() for line in function_of(text).splitlines()[1:-1]]


@pytest.mark.parametrize(
    ("shared", "name"),
    [
        ("a - b", "a_minus_b"),
        ("1.0 / a", "inverse_a"),
        ("1.0 - a", "one_minus_a"),
        ("a * a", "a2"),
        ("a * 0.5", "half_a"),
        ("sqrt(a)", "root_a"),
        ("a * wave.pace", "a_times_pace"),
        ("a * wave.ends.y", "a_times_ends_y"),
        ("float(int(a))", "a_float"),
        ("min(a, min(b, 3.0))", "least"),
        ("a * 0.317 + b * b * 0.7", "sum"),
    ],
)
def test_name_tells_what_a_value_is(shared: str, name: str) -> None:
    """A value that two statements share has a name of its own."""
    found = main_of(
        f"let a = f[0]\nlet b = f[1]\nf[2] = sin({shared}) + b\nf[3] = cos({shared}) - a"
    )
    assert any(line.startswith(f"float {name} = ") for line in found), found


def test_equal_first_values_are_written_for_each_variable() -> None:
    """Not copied from the variable that happens to come first."""
    found = main_of(
        "let p = vec2(0.0)\nlet q = vec2(0.0)\nfor i = 0, 4 do\n"
        "p += vec2(f[i], 1.0)\nq += p\nend\nf[0] = p.x\nf[1] = q.y"
    )
    assert found[:2] == ["vec2 p = vec2(0.0);", "vec2 q = vec2(0.0);"]


def test_what_a_loop_and_the_code_after_it_share_leaves_its_header() -> None:
    """So that a counting loop stays one, whatever the optimizer found to be equal."""
    found = main_of(
        "let sum = f[0]\nlet total = f[1]\nfor i = 2, 9 do\n"
        "sum += f[i] * (sum / total)\ntotal += 1.0\nend\nf[0] = sum / total"
    )
    assert "for (int i = 2; i < 9; i++) {" in found
    assert "f[0] = sum / total;" in found


def test_choice_between_old_and_new_is_one_statement() -> None:
    """A branch that became a select needs no second variable."""
    found = main_of(
        "let low = f[0]\nfor i = 1, 9 do\nif f[i] < 4.0 then\nlow = low * f[i] + 1.0\nend\nend\n"
        "f[0] = low",
        level="aggressive",
    )
    assert not any("low_1" in line for line in found), found


def test_negative_number_is_subtracted() -> None:
    """Which is the same, and what a person writes."""
    assert main_of("f[0] = f[1] + -2.0 * f[2]") == ["f[0] = f[1] - 2.0 * f[2];"]
    assert main_of("let n = int(f[0])\nf[1] = float(n + (-3))") == [
        "int n = int(f[0]);",
        "f[1] = float(n - 3);",
    ]


def test_long_lines_go_on_inside_their_parentheses() -> None:
    """Four columns for each line that opened some."""
    call = ", ".join(f"first_argument_{n}" for n in range(4))
    found = list(wrapped(f"    value = outer(first, inner({call}), second({call}), last);"))
    assert all(len(line) <= WIDTH for line in found)
    assert found[0].startswith("    value")
    assert all(line.startswith("        ") for line in found[1:])
    assert [w for line in found for w in line.split()] == (
        f"value = outer(first, inner({call}), second({call}), last);".split()
    )


def inlined(body: str) -> list[str]:
    """The lines of a fragment shader's main, where small functions are inlined."""
    source = (
        "function luminance(color: vec3) -> float "
        "return dot(color, vec3(0.2126, 0.7152, 0.0722)) end\n"
        "function summed(color: vec3) -> float "
        "let whole = color.x + color.y * 3.0 return whole end\n"
        "@entry(fragment) function main(a: vec3, b: vec3, c: vec3, d: vec3) "
        f"-> (color: vec4) {body} end\n"
    )
    text = BACKEND.emit(optimized(source, "main", "aggressive"), EmitOptions()).output.decode()
    glsl_to_spirv(text, "fragment")
    return [line.strip() for line in function_of(text).splitlines()[1:-1]]


def test_what_an_inlined_call_gives_has_its_callers_name() -> None:
    lines = inlined("let grey = luminance(a) return { color = vec4(grey, grey * 2.0, grey, 1.0) }")
    assert lines[0] == "float grey = dot(a, vec3(0.2126, 0.7152, 0.0722));"


def test_what_the_called_function_named_keeps_that() -> None:
    lines = inlined("let t = summed(a) return { color = vec4(t, t * 2.0, t, 1.0) }")
    assert lines[0].startswith("float whole = ")


@pytest.mark.parametrize(("calls", "named"), [(3, False), (4, True)])
def test_constants_that_are_repeated_often_get_a_name(calls: int, named: bool) -> None:
    values = ", ".join(f"luminance({name})" for name in "abcd"[:calls]) + ", 1.0" * (4 - calls)
    lines = inlined(f"return {{ color = vec4({values}) }}")
    assert ("vec3 factors = vec3(0.2126, 0.7152, 0.0722);" in lines) is named
    assert " ".join(lines).count("0.7152") == (1 if named else calls)


CHOICE = "let v = 0.0 if lane < f_at then v = f[lane] else v = 1.5 end f[lane + 8] = v f[4] = v"


def test_a_guarded_read_is_a_choice_where_that_evaluates_no_more_than_it_takes() -> None:
    lines = main_of(CHOICE.replace("f_at", "3"))
    assert "float v = lane < 3u ? f[lane] : 1.5;" in lines
    assert not any(line.startswith("if") for line in lines)


def test_a_long_choice_is_told_by_branches() -> None:
    long = " + ".join(f"f[lane + {n}]" for n in range(10, 24))
    assert "if (lane < 3u) {" in main_of(
        CHOICE.replace("f_at", "3").replace("f[lane] ", long + " ")
    )
