"""The rules in ``examples/rules``: their cases run, their checks find nothing, values stay."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

import luma
from luma.cli.commands import luma as command
from luma.ir.interpret import run_fragment
from luma.ir.module import Module

FOLDER = Path(__file__).parents[2] / "examples" / "rules"
FILES = pytest.mark.parametrize("file", sorted(FOLDER.glob("*.egg")), ids=lambda f: f.name)


@FILES
def test_the_cases_pass(file: Path) -> None:
    result = CliRunner().invoke(command, ["rules", "test", str(file)])
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("ok  ") >= 2


@FILES
def test_nothing_is_wrong(file: Path) -> None:
    result = CliRunner().invoke(command, ["rules", "check", str(file)])
    assert result.exit_code == 0, result.stderr
    assert "W0980" not in result.stderr and "W0981" not in result.stderr


SHADER = """
#include "brdf.luma"
#include "normals.luma"
struct In
  @location(0) a: vec3
  @location(1) b: vec2
end
struct Out
  @location(0) color: vec4
end
@entry(fragment)
function main(i: In) -> Out
  let f = fresnel(i.a, 1.0) + fresnel(i.a, i.b.x)
  let n = normalize(decode_normal(i.b))
  let c = pow(saturate(i.a), vec3(2.2)) * visibility(1.0, abs(i.b.x) + 0.1, abs(i.b.y) + 0.1)
  let d = pow(saturate(i.a), vec3(1.0 / 2.2))
  return Out { color = vec4(f + n + c + d, length(n)) }
end
"""
RULES = tuple(str(f) for f in sorted(FOLDER.glob("*.egg")))


@pytest.mark.parametrize("target", ["glsl", "hlsl", "msl", "spirv", "wgsl"])
@pytest.mark.parametrize("opt", ["basic", "aggressive"])
def test_all_together_in_a_shader(opt: str, target: str) -> None:
    name = str(FOLDER / "shade.luma")
    made = luma.compile(SHADER, name=name, opt=opt, fp="fast", target=target, rules=RULES)
    assert made.success and "W0983" not in {d.code for d in made.diagnostics}
    plain = luma.compile(SHADER, name=name, opt=opt, fp="fast", target=target)
    assert made.output != plain.output


@pytest.mark.parametrize("opt", ["basic", "aggressive"])
def test_values_stay_within_the_errors_stated(opt: str) -> None:
    name = str(FOLDER / "shade.luma")
    plain = luma.compile(SHADER, name=name, opt="none").module
    made = luma.compile(SHADER, name=name, opt=opt, fp="fast", rules=RULES).module
    rng = random.Random(5)
    for _ in range(30):
        a, b = (tuple(rng.uniform(0.05, 0.95) for _ in range(n)) for n in (3, 2))
        wanted, found = (_color(module, a, b) for module in (plain, made))
        assert found == pytest.approx(wanted, abs=0.03)


def _color(module: Module | None, a: tuple[float, ...], b: tuple[float, ...]) -> list[float]:
    assert module is not None
    ((pixel,),) = run_fragment(module, "main", {0: a, 1: b})
    assert pixel is not None
    return list(next(iter(pixel.values())))
