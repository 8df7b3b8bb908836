"""What the rules make of expressions: a line of Luma, the work that is left."""

from __future__ import annotations

import pytest

from tests.optimizer.sources import result, work

SCALAR = "return Out {{ color = vec4({}) }}"
VECTOR = "return Out {{ color = vec4({}, 1.0) }}"

#: Exact rules: at every level.
EXACT = {
    "x * 1.0": [],
    "x / 1.0": [],
    "x - 0.0": [],
    "-(-x)": [],
    "x + -y": ["sub"],
    "x - -y": ["add"],
    "-x * -y": ["mul"],
    "x / 4.0": ["mul"],
    "abs(abs(x))": ["abs"],
    "abs(-x)": ["abs"],
    "min(max(x, 0.0), 1.0)": ["saturate"],
    "clamp(x, 0.0, 1.0)": ["saturate"],
    "min(max(x, 0.25), 0.5)": ["clamp"],
    "floor(floor(x))": ["floor"],
    "-floor(-x)": ["ceil"],
    "2.0 + 3.0": [],
    "select(true, x, y)": [],
    "select(x < y, x, x)": [],
    "select(not (x < y), x, y)": ["lt", "select"],
    "float(u.i + 0)": ["convert", "load"],
    "float(u.i * 1)": ["convert", "load"],
    "float(u.i & u.i)": ["convert", "load"],
    "float((u.i + 1) + 2)": ["add", "convert", "load"],
    "vec3(x, y, 1.0).y": [],
    "vec4(v, 1.0).zyx.z": [],
    "x + 0.0": ["add"],  # -0.0 + 0.0 is 0.0
    "x * 0.0": ["mul"],
    "x - x": ["sub"],
}

#: Fast rules: at `aggressive`.
FAST = {
    "x + 0.0": [],
    "x * 0.0": [],
    "x - x": [],
    "(x + 1.0) + 2.0": ["add"],
    "(x * 3.0) * 2.0": ["mul"],
    "x * 3.0 / 2.0": ["mul"],
    "x / 3.0": ["mul"],
    "x / y / 2.0": ["div", "mul"],
    "1.0 / sqrt(x)": ["inversesqrt"],
    "sqrt(x) * sqrt(x)": [],
    "sqrt(x * x)": ["abs"],
    "pow(x, 2.0)": ["mul"],
    "pow(x, 4.0)": ["mul", "mul"],
    "pow(x, 5.0)": ["mul", "mul", "mul"],
    "x * x * x * x": ["mul", "mul"],
    "pow(x, -2.0)": ["div", "mul"],
    "pow(x, 0.25)": ["sqrt", "sqrt"],
    "pow(x, 2.5)": ["mul", "mul", "sqrt"],
    "pow(x, 64.0)": ["pow"],  # six multiplications are hardly faster, and longer
    "pow(2.0, x)": ["exp2"],
    "pow(x, y) * pow(v.x, y)": ["mul", "pow"],
    "sqrt(exp(x))": ["exp", "mul"],
    "1.0 / exp(x)": ["exp", "neg"],
    "exp(x) / exp(y)": ["exp", "sub"],
    "log(x) + log(y)": ["log", "mul"],
    "log2(x) + log2(y)": ["log2", "mul"],
    "log(x) / log(2.0)": ["log2"],
    "(x + 1.0) * 2.0 + 3.0": ["add", "mul"],
    "(x * 2.0 - 1.0) * 0.5 + 0.5": [],
    "(x + 1.0) * 2.0 - 3.0": ["add", "mul"],
    "1.0 - (1.0 - x)": [],
    "3.0 * x * x + 2.0 * x + 1.0": ["add", "add", "mul", "mul"],
    "5.0 + 3.0 * x * x + 2.0 * x": ["add", "add", "mul", "mul"],
    "pow(x, 0.5)": ["sqrt"],
    "exp(x) * exp(y)": ["add", "exp"],
    "x + (y - x) * 0.25": ["mix"],
    "x * (1.0 - y) + 3.0 * y": ["mix"],
    "mix(x, y, step(0.5, x))": ["lt", "select"],
    "x - floor(x)": ["fract"],
    "x * 3.0 + x * y": ["add", "mul"],
    "max(min(x, 1.0), 0.0)": ["saturate"],
    "max(0.0, x * x)": ["mul"],
    "cos(-x)": ["cos"],
    "sin(x) * sin(x) + cos(x) * cos(x)": [],
    "length(v) * length(v)": ["dot"],
    "sqrt(dot(v, v))": ["length"],
    "length(v - w)": ["distance"],
    "length(normalize(v))": [],
    "dot(normalize(v), w)": ["dot", "dot", "inversesqrt", "mul"],
    "dot(normalize(v), normalize(w))": ["dot", "dot", "dot", "inversesqrt", "mul", "mul"],
    # a hash is not touched, though without its last product it would be
    "fract(sin((x + 1.0) + 2.0) * 43758.5453)": ["add", "add", "fract", "mul", "sin"],
    "fract(sin((x + 1.0) + 2.0) * 4.0)": ["add", "fract", "mul", "sin"],
    "dot(v * 2.0, w) * 0.5": ["dot"],
}

FAST_VECTORS = {
    "v * x * y": ["mul", "mul"],
    "v / x": ["div", "mul"],
    "v / length(v)": ["normalize"],
    "normalize(normalize(v))": ["normalize"],
    "(u.m * u.n * p).xyz": ["load", "load", "mat_vec", "mat_vec"],
    "(p * (u.m * u.n)).xyz": ["load", "load", "vec_mat", "vec_mat"],
    "(u.m * p + u.m * vec4(v, 0.0)).xyz": ["add", "load", "mat_vec"],
    "(transpose(u.m) * p).xyz": ["load", "vec_mat"],
}


@pytest.mark.parametrize(("source", "left"), EXACT.items())
def test_exact(source: str, left: list[str]) -> None:
    assert work(result(SCALAR.format(source), "basic")) == left


@pytest.mark.parametrize(("source", "left"), EXACT.items())
def test_strict(source: str, left: list[str]) -> None:
    assert work(result(SCALAR.format(source), "aggressive", "strict")) == left


@pytest.mark.parametrize(("source", "left"), FAST.items())
def test_fast(source: str, left: list[str]) -> None:
    assert work(result(SCALAR.format(source))) == left


@pytest.mark.parametrize(("source", "left"), FAST_VECTORS.items())
def test_fast_vectors(source: str, left: list[str]) -> None:
    assert work(result(VECTOR.format(source))) == left


def test_of_equals_the_written_form_stays() -> None:
    """Rules that turn operands round do not turn the text round."""
    function = result(SCALAR.format("select(x >= y, y * x + x, 2.0 * x)"), "aggressive", "strict")
    assert work(function) == ["add", "ge", "mul", "mul", "select"]
    first = {i.id: n for n, i in enumerate(function.instructions())}
    product = next(i for i in function.instructions() if i.op == "mul")
    assert [first[a] for a in product.args] == sorted(
        (first[a] for a in product.args), reverse=True
    )
