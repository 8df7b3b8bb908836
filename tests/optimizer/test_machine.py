"""What GPUs share and fuse is paid once, where it is computed."""

from __future__ import annotations

from luma.ir.cfg import loop_depth
from luma.language.types import FLOAT, Vector
from luma.optimizer.extract import cheapest
from luma.optimizer.machine import unfuse, with_parts
from luma.optimizer.schema import CYCLE, FUSED, cost
from luma.optimizer.term import Node
from tests.optimizer.sources import result, work

VEC3 = Vector(FLOAT, 3)
SCALAR = "return Out {{ color = vec4({}) }}"


def _leaf(number: int) -> list[Node]:
    return [Node("Leaf", FLOAT, (number,), (), 1)]


def _node(name: str, *kids: int) -> Node:
    return Node(name, FLOAT, kids, tuple(dict.fromkeys(kids)), cost(name, FLOAT, None))


def test_quotients_by_the_same_share_a_reciprocal() -> None:
    nodes = [_leaf(0), _leaf(1), _leaf(2), [_node("Div", 0, 2)], [_node("Div", 1, 2)]]
    made = with_parts(nodes, [0] * 5)
    assert len(made) == 6  # and the reciprocal
    assert made[3][0].kids[-1] == made[4][0].kids[-1] == 5
    assert made[5][0].cost == 4 * CYCLE


def test_a_part_is_computed_in_the_loop_of_its_user() -> None:
    nodes = [_leaf(0), _leaf(1), _leaf(2), [_node("Div", 0, 2)], [_node("Div", 1, 2)]]
    made = with_parts(nodes, [0, 0, 0, 0, 1])
    assert len(made) == 7
    assert made[6][0].cost == 8 * made[5][0].cost


def test_a_reciprocal_that_was_taken_before_a_loop_is_used_in_it() -> None:
    function = result("""
        let r = 1.0 / x
        let sum = 0.0
        @unroll(900)
        for i = 0, u.i do
          sum += float(i) * r
        end
        return Out { color = vec4(sum) }""")
    depths = loop_depth(function)
    inside = [i.op for b in function.blocks if depths[b.label] for i in b.instrs]
    assert "div" not in inside


def test_a_sum_takes_in_the_product_that_only_it_needs() -> None:
    nodes = [_leaf(0), _leaf(1), _leaf(2), [_node("Mul", 0, 1)], [_node("Add", 3, 2)]]
    made = with_parts(nodes, [0] * 5)
    choice = cheapest(made, [4])
    chosen = choice[4]
    assert chosen is not None
    assert chosen.constructor == FUSED
    plain = unfuse(choice, [4])
    assert [n.constructor for c in (3, 4) if (n := plain[c])] == ["Mul", "Add"]


def test_unfusing_goes_in_no_circle() -> None:
    """The product may have been chosen as the difference of the sum for somebody else."""
    difference = _node("Sub", 4, 2)
    nodes = [_leaf(0), _leaf(1), _leaf(2), [_node("Mul", 0, 1), difference], [_node("Add", 3, 2)]]
    choice = cheapest(with_parts(nodes, [0] * 5), [4])
    choice[3] = difference
    plain = unfuse(choice, [4, 3])
    product = plain[3]
    assert product is not None
    assert product.constructor == "Mul"


def test_a_square_is_taken_once() -> None:
    assert work(result(SCALAR.format("normalize(v).x + dot(v, v)"))) == ["add", "dot", "normalize"]


def test_what_shares_a_reciprocal_does_not_sink_away_from_it() -> None:
    """Arms that divide by the same number would each take its reciprocal."""
    function = result("""
        let a = x / y
        let c = vec4(0.0)
        if u.i == 1 then
          c = sample(image, i.uv * a)
        else
          c = sample(image, i.uv * ((x + 1.0) / y))
        end
        return Out { color = c }""")
    above = [i.op for i in function.blocks[0].instrs]
    assert "div" in above
