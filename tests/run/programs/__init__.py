"""Random programs: Luma text together with the same program as Python closures.

Every node is made as a pair, its text and a function that computes it, so that the reference shares
nothing with the compiler.  Programs are of ints, uints, bools and their vectors, with floats that
hold small whole numbers (so that no rounding happens whatever the order), arrays, structs, loops,
early returns, and functions whose effects must happen in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.run.programs.nodes import (
    CELLS,
    RESULTS,
    RUNS,
    SCALARS,
    VECTORS,
    Env,
    Function,
    Returned,
    Variable,
    wrap,
)
from tests.run.programs.statements import Statements

__all__ = ["CELLS", "RESULTS", "RUNS", "Program", "make_program"]


class Maker(Statements):
    """Makes one program from a seed."""

    __slots__ = ()

    def function(self, name: str) -> list[str]:
        """A function that later ones may call."""
        params = [self.random.choice([*SCALARS, *VECTORS]) for _ in range(self.random.randrange(3))]
        self.result = self.random.choice(["int", "uint"])
        self.budget = 14
        self.scopes = [{}]
        variables: list[Variable] = []
        for type_ in params:
            variable = self.declare(type_)
            assert variable is not None
            self.scopes[-1][variable.name] = variable
            variables.append(variable)
        self.scopes.append({})
        body, action = self.statements(3, "  ")
        value = self.expr(self.result, 2)

        def call(env: Env, args: list[Any]) -> Any:
            inner: Env = {"memory": env["memory"], "base": env["base"]}
            inner |= {v.key: arg for v, arg in zip(variables, args, strict=True)}
            try:
                action(inner)
                return value.compute(inner)
            except Returned as returned:
                return returned.value

        text = ", ".join(["base: int", *(f"{v.name}: {v.type}" for v in variables)])
        lines = [
            f"function {name}({text}) -> {self.result}",
            *body,
            f"  return {value.text}",
            "end",
        ]
        self.functions.append(Function(name, params, self.result, call))
        self.result = None
        return [*lines, ""]


@dataclass(frozen=True, slots=True)
class Program:
    """A program: its source, and what an invocation leaves behind."""

    source: str
    run: Callable[[int, list[int]], tuple[list[int], list[int]]]


def make_program(seed: int) -> Program:
    """The program of a seed; the same on every machine."""
    maker = Maker(Random(seed))
    effect = Function("tick", ["int"], "int", _tick)
    lines = [
        "buffer storage data: []int",
        "buffer writeonly out: []int",
        "",
        "-- Counts in memory how often it is called.",
        "function tick(base: int, n: int) -> int",
        "  data[base] = data[base] * 3 + n",
        "  return data[base]",
        "end",
        "",
    ]
    maker.functions.append(effect)
    for number in range(maker.random.randrange(1, 4)):
        lines += maker.function(f"f{number}")
    maker.scopes, maker.budget = [{}], 24
    maker.scopes[-1]["n"] = Variable("n", "int", 0)
    body, action = maker.statements(3, "  ")
    results = [maker.expr(maker.random.choice(["int", "uint"]), 3) for _ in range(RESULTS)]
    stores = [f"  out[i * {RESULTS} + {k}] = int({r.text})" for k, r in enumerate(results)]
    lines += [
        "@entry(compute)",
        f"@workgroup_size({RUNS})",
        "function main(@builtin(local_invocation_id) id: uvec3)",
        "  let i = int(id.x)",
        f"  let base = i * {CELLS}",
        "  let n = data[base + 1]",
        *body,
        *stores,
        "end",
        "",
    ]

    def run(index: int, memory: list[int]) -> tuple[list[int], list[int]]:
        env: Env = {"memory": list(memory), "base": index * CELLS, 0: memory[1]}
        action(env)
        found = [wrap("int", r.compute(env)) for r in results]
        return env["memory"], found

    return Program("\n".join(lines), run)


def _tick(env: Env, args: list[Any]) -> int:
    memory: list[int] = env["memory"]
    memory[0] = wrap("int", memory[0] * 3 + args[0])
    return memory[0]
