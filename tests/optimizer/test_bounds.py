"""No input makes the optimizer explode, fail or give different results on different days."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import luma
from luma.ir.module import Block, Function, FunctionParam, Instr, Module, Return
from luma.ir.text import print_module
from luma.ir.verify import verify
from luma.language.types import FLOAT
from luma.optimizer import levels, optimize, rewrite
from luma.optimizer.egraph import EGraphError, Rules
from luma.optimizer.encode import encode
from luma.optimizer.rewrite import Plan
from luma.optimizer.term import Graph
from tests.harness.cases import CORPUS
from tests.optimizer.sources import expression, lowered, optimized

ROOT = Path(__file__).parents[2]


def _module(instrs: list[Instr], params: int = 1) -> Module:
    made = tuple(FunctionParam(n, f"p{n}", FLOAT) for n in range(params))
    block = Block(0, (), tuple(instrs), Return((instrs[-1].id,)))
    module = Module((), (), (), (Function("f", made, (FLOAT,), (block,)),), ())
    assert verify(module) == []
    return module


def _only(module: Module) -> Module:
    """The module optimized; the function has no entry point, so only basic keeps it."""
    done, warnings = optimize(module, "basic", fp="fast")
    assert warnings == () and verify(done) == []
    return done


def test_squares_forty_times() -> None:
    """As a tree this is 2 to the 40 nodes."""
    instrs = []
    for n in range(40):
        instrs.append(Instr(10 + 2 * n, "mul", FLOAT, (instrs[-1].id if instrs else 0,) * 2))
        last = instrs[-2].id if len(instrs) > 1 else 0
        instrs.append(Instr(11 + 2 * n, "add", FLOAT, (instrs[-1].id, last)))
    assert len(list(_only(_module(instrs)).functions[0].instructions())) <= 80


@pytest.mark.parametrize("level", ["basic", "aggressive"])
def test_a_long_sum(level: str) -> None:
    terms = " + ".join(["x", "y"] * 400)
    source = expression(f"let s = {terms} return Out {{ color = vec4(s) }}")
    assert len(list(optimized(lowered(source), level).functions[0].instructions())) <= 900


@pytest.mark.parametrize("count", [40, 100, 300])
def test_a_chain_of_quotients_stays_in_bounds(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One round makes a term of every run of divisors; such a round is taken back."""
    sizes: list[int] = []
    freeze = Rules.freeze

    def counted(self: Rules) -> Graph:
        sizes.append(self.size())
        return freeze(self)

    monkeypatch.setattr(Rules, "freeze", counted)
    chain = "".join(f" / (y + {n % 7}.5)" for n in range(count))
    module = lowered(expression(f"let q = x{chain} return Out {{ color = vec4(q) }}"))
    assert verify(optimized(module, "aggressive")) == []
    rows = rewrite.FREE_ROWS + rewrite.ROWS_PER_DEFINITION * 4 * count
    assert max(sizes) < (rewrite.OVERSHOOT + 1) * rows


def test_a_huge_function_is_left_to_the_plain_passes() -> None:
    instrs = [Instr(1, "sqrt", FLOAT, (0,))]
    for n in range(2, rewrite.MAX_INSTRUCTIONS + 10):
        instrs.append(Instr(n, "add", FLOAT, (n - 1, 0)))
    module = _module(instrs)
    done, warnings = optimize(module, "basic", fp="fast")
    assert len(list(done.functions[0].instructions())) == len(instrs)
    assert warnings == (f"`f` has more than {rewrite.MAX_INSTRUCTIONS} instructions:"
                        " rules were not run over it",)  # fmt: skip


def test_rules_that_contradict_each_other_are_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact rules do what fast ones could not, and a warning says so."""
    run = rewrite._rewrite

    def contradicting(functions: object, plan: rewrite.Plan, *others: object) -> object:
        if plan.instead is not None:
            raise EGraphError("two constants are one")
        return run(functions, plan, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(rewrite, "_rewrite", contradicting)
    done, warnings = optimize(_module([Instr(1, "add", FLOAT, (0, 0))]), "basic", fp="fast")
    assert verify(done) == []
    assert len(warnings) == 1 and "exact rules instead" in warnings[0]


def test_a_deep_chain() -> None:
    instrs = [Instr(1, "sqrt", FLOAT, (0,))]
    for n in range(2, 3000):
        instrs.append(Instr(n, ("sqrt", "abs", "mul", "add")[n % 4], FLOAT,
                            (n - 1, 0)[: 1 + n % 4 // 2]))  # fmt: skip
    assert _only(_module(instrs))


def test_products_that_meet_zero() -> None:
    """Factoring and absorbing zero together once doubled exponents."""
    products = " + ".join(f"(x * {n}.0) * (y * 0.0) + x * (y + {n}.0)" for n in range(40))
    source = expression(f"return Out {{ color = vec4({products}) }}")
    assert optimized(lowered(source))


def test_zeros_that_meet_do_not_contradict() -> None:
    """A zero found twice is one fact: nothing is divided by it to see whether they agree."""
    for zero in ("dot(cross(v, w), w * u.k)", "dot(v, cross(w, v)) * (u.k - u.k)"):
        module = lowered(expression(f"return Out {{ color = vec4({zero}) }}"))
        done, warnings = optimize(module, "aggressive")
        assert warnings == ()
        left = {i.op for i in done.functions[0].instructions()}
        assert left <= {"const", "splat", "construct"}


CONTRADICTIONS = (
    "z / z + 1.0 / (x * z)",
    "(x * z) / z + (y * z) / z",
    "x / x + z / z",
    "z / (z * x) + z / (z * y)",
    "(x - x) / (x - x)",
)


@pytest.mark.parametrize("source", CONTRADICTIONS)
def test_division_by_zero_does_not_infect_the_rest(source: str) -> None:
    """Of 0 / 0 rules could make anything; what has nothing to do with it must stay right."""
    body = f"let z = 0.0 let bad = {source} return Out {{{{ color = vec4(bad, x + 1.0, y, 0.0) }}}}"
    function = optimized(lowered(expression(body.format()))).functions[0]
    made = {i.id: i for i in function.instructions()}
    color = made[function.blocks[0].terminator.values[0]]  # type: ignore[union-attr]
    second, third, fourth = (made[a] for a in color.args[1:])
    assert second.op == "add" and third.op == "extract" and third.imm == (1,)
    assert fourth.op == "const" and fourth.imm == (0.0,)
    (one,) = (made[a] for a in second.args if made[a].op == "const")
    assert one.imm == (1.0,)


def test_a_failing_egraph_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    """The function is then as it was; the next one works again."""
    module = _module([Instr(1, "neg", FLOAT, (0,)), Instr(2, "neg", FLOAT, (1,))])

    def fail(self: Rules) -> object:
        raise EGraphError("out of order")

    with monkeypatch.context() as patch:
        patch.setattr(Rules, "freeze", fail)
        done, warnings = optimize(module, "basic")
    assert len(warnings) == 1 and "out of order" in warnings[0]
    assert len(list(done.functions[0].instructions())) == 2
    assert list(_only(module).functions[0].instructions()) == []


@pytest.mark.parametrize("level", ["basic", "aggressive"])
def test_what_a_pass_breaks_is_left_as_it_was(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = expression("let s = x * 2.0 + y  return Out { color = vec4(s) }")
    plain = luma.compile(source, target="spirv", opt="none")

    def misplace_the_last(
        selections: object, functions: Sequence[Function], plan: Plan, watcher: object = None
    ) -> tuple[list[list[Function]], list[str]]:
        done, warnings = rewrite.rewrite(functions, plan)
        (entry,) = done[0].blocks
        instrs = (entry.instrs[-1], *entry.instrs[:-1])
        return [[replace(done[0], blocks=(replace(entry, instrs=instrs),))]], warnings

    monkeypatch.setattr(levels, "rewrite_for", misplace_the_last)
    result = luma.compile(source, target="spirv", opt=level)
    (warning,) = (d for d in result.diagnostics if d.code == "W0990")
    assert "used before it is defined" in warning.message
    assert plain.success and result.output == plain.output


def test_used_rules_die_without_the_garbage_collector() -> None:
    """It may run on another thread, where an e-graph must not die."""
    gc.disable()
    try:
        rules = Rules([])
        rules.push()
        rules.load(
            encode(_module([Instr(1, "neg", FLOAT, (0,))]).functions[0], frozenset({0})).definitions
        )
        rules.freeze()
        rules.pop()
        gone = weakref.ref(rules)
        del rules
        assert gone() is None
    finally:
        gc.enable()


SCRIPT = """
import luma, sys
from luma.ir.text import print_module
for name in sys.argv[1:]:
    module = luma.lower(luma.check(luma.parse(open(name).read(), name)))
    print(print_module(luma.optimize(module, "aggressive")))
"""


def test_the_result_does_not_depend_on_hashing_or_history() -> None:
    """Other hash seeds, other orders of compiling in one process: the same text."""
    names = [str(CORPUS / n / f"{n}.luma") for n in ("pbr_fragment", "noise", "joint_skinning")]
    found = []
    for seed, order in (("1", names), ("2", names), ("3", [*names[1:], names[0]])):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, *order],
            capture_output=True, text=True, check=True, env=environment, cwd=ROOT,
        )  # fmt: skip
        found.append(done.stdout)
    assert found[0] == found[1]
    assert sorted(found[0].splitlines()) == sorted(found[2].splitlines())


def test_optimizing_twice_gives_the_same_text() -> None:
    module = lowered((CORPUS / "noise" / "noise.luma").read_text(encoding="utf-8"))
    texts = {print_module(optimize(module, "aggressive")[0]) for _ in range(3)}
    assert len(texts) == 1
