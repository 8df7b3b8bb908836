"""Whatever the source, the checker ends with a tree that lowers or with an error; never worse."""

from __future__ import annotations

import random
import re

import pytest

from luma.diagnostics import Reporter
from luma.frontend.check import check
from luma.frontend.parser import parse
from luma.ir.lower import lower
from luma.ir.verify import verify
from luma.source import Source
from luma.stack import run_deep
from tests.frontend import test_check_expressions, test_check_stages, test_check_statements
from tests.frontend.checking import codes, in_function, run
from tests.harness.cases import shader_files

ACCEPTED = [
    *(in_function(s) for s in test_check_expressions.ACCEPTED + test_check_statements.ACCEPTED),
    *(s for s, e in test_check_statements.WHOLE + test_check_stages.SOURCES if not e),
    *(s for s in (p.read_text() for p in shader_files().values()) if "#include" not in s),
]
TOKENS = re.compile(r"\s+|--[^\n]*|[A-Za-z_]\w*|\d+\.?\d*|[<>=!]=|<<|>>|.")
KEYWORDS = """function end let return if then elseif else for while do in and or not struct uniform
    buffer const shared"""
OPERATORS = "+ - * / % & | << >> < > <= >= == !="


def _kind(token: str) -> str:
    if token in KEYWORDS.split() or token.isspace():
        return token
    if token in OPERATORS.split():
        return "operator"
    return "name" if token[0].isalpha() else "number" if token[0].isdigit() else token


POOL: dict[str, list[str]] = {}
for _token in sorted({t for s in ACCEPTED for t in TOKENS.findall(s)}):
    POOL.setdefault(_kind(_token), []).append(_token)


def _mutant(seed: int) -> str:
    """A source with some of its names, numbers and operators exchanged for others."""
    chance = random.Random(seed)
    tokens = TOKENS.findall(chance.choice(ACCEPTED))
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(tokens))
        tokens[at] = chance.choice(POOL[_kind(tokens[at])])
    return "".join(tokens)


def _survives(source: str) -> bool:
    """Check, show every diagnostic, and lower what is right; tells whether it was."""
    return run_deep(lambda: _compile(source))


def _compile(source: str) -> bool:
    reporter = Reporter(Source.plain(source))
    tree = parse(reporter.source, reporter)
    if reporter.error_count:
        return False
    checked = check(tree, reporter)
    assert (checked is None) == (reporter.error_count > 0), source
    for found in reporter.diagnostics:
        found.render()
    if checked is not None:
        assert verify(lower(checked)) == [], source
    return checked is not None


@pytest.mark.parametrize("seed", range(8))
def test_mutants(seed: int) -> None:
    right = sum(_survives(_mutant(seed * 100 + at)) for at in range(100))
    assert 0 < right < 100


def test_everything_accepted_lowers() -> None:
    assert [s for s in ACCEPTED if not _survives(s)] == []


def _chain(count: int, pattern: str, last: str) -> str:
    return "\n".join(pattern.format(i, i + 1) for i in range(count)) + "\n" + last.format(count)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (_chain(5000, "const A{}: int = A{} + 1", "const A{}: int = 1"), []),
        (_chain(5000, "const A{}: int = A{}", "const A{}: int = A0"), ["E0509"]),
        (_chain(50, "struct S{} a: S{} end", "struct S{} a: float end"), []),
        (_chain(5000, "struct S{} a: S{} end", "struct S{} a: float end"), ["E0333"]),
        (_chain(5000, "struct S{} a: S{} end", "struct S{} a: S0 end"), ["E0328"]),
        (_chain(13, "struct S{0} a: S{1} b: [4]S{1} end", "struct S{} a: float end"), []),
        (_chain(40, "struct S{0} a: S{1} b: [4]S{1} end", "struct S{} a: float end"), ["E0334"]),
        (_chain(3000, "function f{}() f{}() end", "function f{}() end"), []),
        (_chain(3000, "function f{}() f{}() end", "function f{}() f0() end"), ["E0502"]),
        ("const A: [5000]float = [5000]float { " + "1," * 5000 + "}", []),
        ("function f() -> float return " + "min(1, " * 150 + "2" + ")" * 150 + " end", []),
        ("const A: int = " + "/".join(["1"] * 900), []),
        ("function f(a: float) -> float return " + "+".join(["a"] * 900) + " end", []),
        (
            "function f() " + "".join(f"let _v{i} = u{i} " for i in range(90)) + "end",
            ["E0301"] * 90,
        ),
    ],
    ids=range(14),
)
def test_long_and_deep(source: str, expected: list[str]) -> None:
    assert codes(source) == expected


def test_a_tree_is_the_same_every_time() -> None:
    source = ACCEPTED[-1]
    assert run(source)[1] == run(source)[1]
