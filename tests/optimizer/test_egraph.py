"""What goes into the e-graph comes out of it as it was, however it gets there."""

from __future__ import annotations

import tempfile

import pytest

from luma.ir.text import print_module
from luma.language.types import BOOL, FLOAT, INT, UINT, Matrix, Struct, Type, Vector
from luma.optimizer.egraph import Rules
from luma.optimizer.term import Definition, Ref, Term
from tests.optimizer.sources import expression, lowered, optimized

VEC3 = Vector(FLOAT, 3)
LITERALS: list[tuple[str, Type, int | float | str]] = [
    *(
        ("Lit", FLOAT, x)
        for x in (0.0, 1.0, -0.1, 1e-7, 5e-324, -3.4028234663852886e38, 16777217.0)
    ),
    *(("Int", INT, n) for n in (0, -1, 2**31 - 1, -(2**31))),
    ("Int", UINT, 2**32 - 1),
    ("Int", BOOL, 1),
    ("Spec", FLOAT, "steps"),
    ("Global", VEC3, 'a name with "quotes", \\ and é'),
    ("Global", Matrix(4, 3), "m"),
    ("Global", Struct("Light", ()), "light"),
]


def test_literals_cross_exactly() -> None:
    rules = Rules([])
    rules.push()
    rules.load(
        Definition(n, Term(name, type, (value,))) for n, (name, type, value) in enumerate(LITERALS)
    )
    graph = rules.freeze()
    found = [graph.nodes[graph.classes[n]] for n in range(len(LITERALS))]
    assert [(n.constructor, n.type, *n.args) for (n,) in found] == LITERALS


def test_terms_are_united() -> None:
    rules = Rules([])
    rules.push()
    leaf, one = Term("Leaf", FLOAT, (0,)), Term("Lit", FLOAT, (1.0,))
    rules.load([Definition(0, leaf), Definition(1, one), Definition(2, Term("Sin", FLOAT, (one,)))])
    assert rules.freeze().classes == {0: 0, 1: 1, 2: 2}
    rules.unite([(Ref(0), Term("Cos", FLOAT, (one,)))])
    assert {n.constructor for n in rules.freeze().nodes[0]} == {"Leaf", "Cos"}


def test_terms_cross_where_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    module = lowered(expression("return Out { color = vec4(v * x / x, sqrt(u.k)) / sqrt(u.k) }"))
    written = optimized(module)
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere/at/all")
    assert print_module(optimized(module)) == print_module(written)
