"""Products in normal form, and the prices that they and their rivals are chosen by."""

from __future__ import annotations

import random

import pytest

from luma.ir.cfg import loop_depth
from luma.ir.interpret import Resources, decode, encode, run_compute
from luma.ir.module import Module
from luma.language.types import FLOAT, Array
from tests.optimizer.sources import lowered, optimized, result, work

SCALAR = "return Out {{ color = vec4({}) }}"
VECTOR = "return Out {{ color = vec4({}, 1.0) }}"

#: One fraction bar, one root, powers by squaring.
FRACTIONS = {
    "x / y / p.x / p.y": ["div", "mul", "mul"],
    "(x / y) * (p.x / p.y)": ["div", "mul", "mul"],
    "x / (y / p.x) / (p.y / p.z)": ["div", "mul", "mul", "mul"],
    "(x * p.x) / (y * p.x)": ["div"],
    "x * y / (x * x) * p.x": ["div", "mul"],
    "sqrt(x) * p.x * sqrt(y)": ["mul", "mul", "sqrt"],
    "inversesqrt(x) * p.x * inversesqrt(y)": ["inversesqrt", "mul", "mul"],
    "p.x / sqrt(x) / sqrt(y)": ["inversesqrt", "mul", "mul"],
    "pow(x, 3.0) * pow(y, 3.0)": ["mul", "mul", "mul"],
    "(x / (y * y)) * (x / (y * y))": ["div", "mul", "mul"],
    "x * 2.0 * y * 4.0 * p.x": ["mul", "mul", "mul"],
    "-x * y * -p.x": ["mul", "mul"],
    "p.x / (x * x * x * x)": ["div", "mul", "mul"],
}

#: Scalars meet before they meet a vector.
SCALARS_FIRST = {
    "v * x * y * p.x": ["mul", "mul", "mul"],
    "x * v * y / p.x": ["div", "mul", "mul"],
    "v * x * w * y": ["mul", "mul", "mul"],
    "(v / x) / y": ["div", "mul", "mul"],
    "v * 2.0 * w * 3.0": ["mul", "mul"],
}


@pytest.mark.parametrize(("source", "left"), FRACTIONS.items())
def test_fractions(source: str, left: list[str]) -> None:
    assert work(result(SCALAR.format(source))) == left


@pytest.mark.parametrize(("source", "left"), SCALARS_FIRST.items())
def test_scalars_come_first(source: str, left: list[str]) -> None:
    function = result(VECTOR.format(source))
    assert work(function) == left
    vectors = [i for i in function.instructions() if i.op == "mul" and str(i.type) == "vec3"]
    assert len(vectors) == source.count("v") + source.count("w")  # one is with the scalars


def test_equal_factors_of_several_products_are_multiplied_once() -> None:
    function = result(SCALAR.format("p.x * x * p.y * y + y * p.z * x"))
    assert work(function).count("mul") == 4


LOOP = """
    let sum = vec3(0.0)
    @unroll(900)
    for i = 0, u.i do
      let t = float(i)
      sum += v * t * w * x / y * t
    end
    return Out { color = vec4(sum, 1.0) }"""


def test_what_a_loop_does_not_change_is_multiplied_before_it() -> None:
    function = result(LOOP)
    depths = loop_depth(function)
    inside = [i.op for b in function.blocks if depths[b.label] for i in b.instrs]
    assert "div" not in inside
    assert inside.count("mul") == 2  # t * t, and that times the vector


def test_strict_products_stay() -> None:
    function = result(SCALAR.format("x / y / p.x"), "aggressive", "strict")
    assert work(function) == ["div", "div"]


def test_halfs_stay_in_their_order() -> None:
    """Four digits overflow soon: what is reassociated would differ much."""
    source = SCALAR.format("float(half(x) * half(y) / half(p.x) / half(p.y))")
    assert work(result(source)).count("div") >= 1


def test_chains_of_any_length_end() -> None:
    product = " * ".join(["x", "y", "p.x", "p.y"] * 60)
    function = result(SCALAR.format(product))
    assert 0 < work(function).count("mul") < 240


def test_doublings_end() -> None:
    lines = "".join("          k = k * k * y\n" for _ in range(40))
    function = result(f"let k = x\n{lines}          {SCALAR.format('k')}")
    assert work(function).count("mul") <= 80


#: What GPUs share or fuse costs nothing: the form is chosen that is short.
PRICES = {
    # both take the square of v, and the driver takes it once
    "normalize(v).x + dot(v, v)": ["add", "dot", "normalize"],
    # one multiply-add beats a difference and a product
    "x * (1.0 - y)": ["mul", "sub"],
    "x * y + x": ["add", "mul"],
}


@pytest.mark.parametrize(("source", "left"), PRICES.items())
def test_prices(source: str, left: list[str]) -> None:
    assert work(result(SCALAR.format(source))) == left


#: Sources whose values must stay what they were, up to rounding.
VALUES = [
    *FRACTIONS,
    "x * y * (p.x + p.y) / (x * p.x)",
    "x / (y * y) / sqrt(p.x) * pow(y, 2.5)",
    # constants meet in several orders here, and are rounded differently
    "sqrt(dot(normalize(p / (3.0 / y)), vec3(2.0)))",
    "(((2.0 / 3.0 * (p.z / 3.0) * x + x * x) * x) * x + p.z * x) * x",
    "sqrt(x) / sqrt(y) * p.x",
]


#: What is computed of seven numbers, and where it goes.
PROGRAM = """
buffer storage data: [8]float
@entry(compute) @workgroup_size(1)
function main()
  let x = data[0]
  let y = data[1]
  let p = vec3(data[2], data[3], data[4])
  data[7] = {}
end"""


@pytest.mark.parametrize("source", VALUES)
def test_values_stay(source: str) -> None:
    module = lowered(PROGRAM.format(source))
    fast = optimized(module)
    rng = random.Random(source)
    for _ in range(10):
        values = [rng.uniform(0.1, 4.0) for _ in range(8)]
        assert _run(fast, values) == pytest.approx(_run(module, values), rel=2e-5)


def _run(module: Module, values: list[float]) -> float:
    memory = bytearray(encode(Array(FLOAT, 8), tuple(values)))
    run_compute(module, "main", resources=Resources({"data": memory}))
    found: tuple[float, ...] = decode(Array(FLOAT, 8), memory)
    return found[7]
