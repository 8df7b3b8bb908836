"""What lowering keeps for debugging: the lines of statements and the author's names."""

from __future__ import annotations

from luma.ir.module import Branch, Function, Return
from tests.ir.sources import lowered


def function(source: str) -> Function:
    return lowered(source).function("f")


def lines(f: Function, source: str, op: str = "const") -> list[int]:
    """The lines of the instructions of an operation."""
    places = [f.spans[i.id].start for i in f.instructions() if i.op == op]
    return [source.count("\n", 0, at) + 1 for at in places]


def test_a_let_of_a_constant_has_a_line_of_its_own() -> None:
    source = """function f(c: bool) -> float
        let other = 0.5
        let total = 0.5
        if c then
            other = 0.5
            total = 0.5
        end
        return other - total
    end"""
    f = function(source)
    assert lines(f, source) == [2, 3, 5, 6]
    edge = f.blocks[1].terminator
    assert isinstance(edge, Branch) and len(set(edge.args)) == 2


def test_a_return_of_a_constant_has_a_line_of_its_own() -> None:
    source = """function f(x: float) -> float
        let y = x + 0.5
        if y > x * 0.5 then return y end
        return 0.5
    end"""
    f = function(source)
    returned = f.blocks[-1].terminator
    assert isinstance(returned, Return)
    assert source.count("\n", 0, f.spans[returned.values[0]].start) + 1 == 4


def test_expressions_share_their_constants() -> None:
    f = function("function f(x: float) -> float return x * 0.5 + 0.5 - 0.5 end")
    assert [i.op for i in f.instructions()].count("const") == 1


def test_composite_consts_keep_their_names() -> None:
    f = function(
        "const WEIGHTS: [3]float = [3]float { 1.0, 2.0, 4.0 }\n"
        "const GRID: [2][2]float = [2][2]float { [2]float { 1.0, 2.0 }, [2]float { 3.0, 4.0 } }\n"
        "const TINT: vec3 = vec3(1.0, 2.0, 3.0)\n"
        "function f(i: int) -> float return WEIGHTS[i] + GRID[1][i] + dot(TINT, TINT) end"
    )
    named = [f.names[i.id] for i in f.instructions() if i.op == "construct" and i.id in f.names]
    assert named == ["WEIGHTS", "GRID", "TINT", "TINT"]


def test_a_variable_names_the_const_that_it_starts_with() -> None:
    f = function(
        "const TINT: vec3 = vec3(1.0, 2.0, 3.0)\n"
        "function f(x: float) -> vec3 let color = TINT color.x = x return color end"
    )
    assert {f.names[i.id] for i in f.instructions() if i.id in f.names} == {"color"}
