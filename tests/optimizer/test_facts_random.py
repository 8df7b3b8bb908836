"""Random programs with facts in random places: with data that hold them, every level agrees."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from luma.ir.interpret import Resources, decode, encode, run_compute
from luma.ir.module import Module
from luma.language.types import FLOAT, INT, Array, Matrix, Space, Type, Vector
from tests.optimizer.sources import lowered, optimized, work

_VEC3, _MAT3 = Vector(FLOAT, 3), Matrix(3, 3)

#: Kinds of values: the fact that is stated, and the type.
KINDS: dict[str, tuple[str, Type]] = {
    "way": ("@unit", _VEC3),
    "share": ("@range(0.0, 1.0)", FLOAT),
    "count": ("@nonnegative", INT),
    "turn": ("@rigid", _MAT3),
    "vector": ("", _VEC3),
    "number": ("", FLOAT),
    "whole": ("", INT),
}
_FORMS = {_VEC3: "vector", FLOAT: "number", INT: "whole", _MAT3: "turn"}


class _Values:
    """Random data of which the facts are true."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def of(self, kind: str) -> object:
        match kind:
            case "way":
                return self._direction()
            case "share" | "count":
                return self._dice.random() if kind == "share" else self._dice.randrange(100)
            case "turn":
                return self._rotation()
            case "vector":
                return tuple(2.5 * x for x in self._direction())
            case "number":
                return self._dice.choice((-1, 1)) * self._dice.uniform(1.25, 3.0)
        return self._dice.randrange(-100, 0)

    def _direction(self) -> tuple[float, ...]:
        parts = [self._dice.choice((-1, 1)) * self._dice.uniform(0.2, 1) for _ in range(3)]
        size = sum(x * x for x in parts) ** 0.5
        return tuple(x / size for x in parts)

    def _rotation(self) -> tuple[tuple[float, ...], ...]:
        """The columns of a reflection of a reflection."""
        matrix = [[float(r == c) for r in range(3)] for c in range(3)]
        for _ in range(2):
            n = self._direction()
            for column in matrix:
                size = 2 * sum(a * b for a, b in zip(column, n, strict=True))
                column[:] = [a - size * b for a, b in zip(column, n, strict=True)]
        return tuple(map(tuple, matrix))


class _Program:
    """A compute shader, and what its memory holds."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.values = _Values(self.dice)
        self.declared: list[str] = []
        self.buffers: dict[str, tuple[Type, object, Space]] = {}
        self.names: dict[str, list[str]] = {kind: [] for kind in KINDS}
        self.functions: list[str] = []
        for kind in KINDS:
            for _ in range(2):
                self._declare(kind)
        self._declare_fields()
        calls = [call for _ in range(3) for call in self._function()]
        body = "\n".join(f"  {line}" for line in (*self._written(), *self._lines(calls)))
        self.source = "\n".join((
            *self.declared, "buffer storage out: [16]float", *self.functions,
            "@entry(compute) @workgroup_size(1)", "function main()", body, "end",
        ))  # fmt: skip

    # ------------------------------------------------------------ memory

    def _declare(self, kind: str) -> None:
        fact, type = KINDS[kind]
        name = f"g{len(self.buffers)}"
        if self.dice.random() < 0.5:
            self.declared.append(f"{fact} uniform {name}: {type}")
            self.buffers[name] = (type, self.values.of(kind), Space.UNIFORM)
            self.names[kind].append(name)
            return
        self.declared.append(f"{fact} buffer readonly {name}: []{type}")
        elements = tuple(self.values.of(kind) for _ in range(3))
        self.buffers[name] = (Array(type, 3), elements, Space.STORAGE)
        self.names[kind].append(f"{name}[{self.dice.choice(('0', '2', 'one'))}]")

    def _declare_fields(self) -> None:
        """A struct in a readonly and in a writable buffer, and as a value."""
        fields = "\n".join(f"  {fact} {kind}: {type}" for kind, (fact, type) in KINDS.items())
        self.declared.append(f"uniform one: int\nstruct All\n{fields}\nend")
        self.declared.append("buffer readonly all: []All\nbuffer storage own: []All")
        self.buffers["one"] = (INT, 1, Space.UNIFORM)
        for kind in KINDS:
            self.names[kind] += ["all[one]." + kind, "copy." + kind]

    def memory(self, module: Module) -> dict[str, bytearray]:
        """The buffers as bytes."""
        found = {n: bytearray(encode(t, v, s)) for n, (t, v, s) in self.buffers.items()}
        struct = next(s for s in module.structs if s.name == "All")
        dice = _Values(random.Random(7))
        for name in ("all", "own"):
            elements = tuple(tuple(dice.of(kind) for kind in KINDS) for _ in range(2))
            found[name] = bytearray(encode(Array(struct, 2), elements))
        found["out"] = bytearray(64)
        return found

    # ------------------------------------------------------------ expressions

    def _atom(self, kind: str) -> str:
        return self.dice.choice(self.names[kind])

    def vector(self, depth: int) -> str:
        if depth == 0:
            return self._atom(self.dice.choice(("way", "way", "vector")))
        v, f = (lambda: self.vector(depth - 1)), (lambda: self.number(depth - 1))
        turn = self._atom("turn")
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"normalize({v()})", lambda: f"normalize({self._atom('way')} + {v()} * 3.0)",
            lambda: f"(-{v()})", lambda: f"({v()} * {f()})", lambda: f"({turn} * {v()})",
            lambda: f"(inverse({turn}) * {v()})", lambda: f"(transpose({turn}) * {v()})",
            lambda: f"reflect({v()}, {self._atom('way')})",
            lambda: f"cross({v()}, vec3(0.25, -0.5, 0.75))",
            lambda: f"select({self._atom('share')} < 1.5, {v()}, {v()})",
        )  # fmt: skip
        return self.dice.choice(forms)()

    def number(self, depth: int) -> str:
        if depth == 0:
            return self._atom(self.dice.choice(("share", "share", "number")))
        v, f, i = (
            lambda: self.vector(depth - 1), lambda: self.number(depth - 1),
            lambda: self.whole(depth - 1),
        )  # fmt: skip
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"length({v()})", lambda: f"dot({v()}, {v()})", lambda: f"saturate({f()})",
            lambda: f"max({f()}, 0.0)", lambda: f"abs({f()})", lambda: f"clamp({f()}, -1.0, 1.0)",
            lambda: f"sqrt(abs({f()}) + 0.5)", lambda: f"({f()} + {f()})",
            lambda: f"({f()} * {f()})", lambda: f"determinant({self._atom('turn')})",
            lambda: f"float({i()})", lambda: f"select({i()} < 2, {f()}, {f()})",
            lambda: f"length(normalize({v()}))", lambda: f"{v()}.y",
        )  # fmt: skip
        return self.dice.choice(forms)()

    def whole(self, depth: int) -> str:
        if depth == 0:
            return self._atom(self.dice.choice(("count", "whole")))
        i = lambda: self.whole(depth - 1)  # noqa: E731
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"({i()} / 4)", lambda: f"({i()} % 8)", lambda: f"max({i()}, 0)",
            lambda: f"abs({i()})", lambda: f"({i()} & 15)", lambda: f"min({i()}, 50)",
        )  # fmt: skip
        return self.dice.choice(forms)()

    # ------------------------------------------------------------ functions and statements

    def _function(self) -> Iterator[str]:
        """Declare a function; calls of it, some never made, with what breaks the promise."""
        name = f"f{len(self.functions)}"
        kinds = [self.dice.choice(list(KINDS)) for _ in range(3)] + ["way"]
        params = ", ".join(
            f"{KINDS[k][0]} p{at}: {KINDS[k][1]}".strip() for at, k in enumerate(kinds)
        )
        outside, self.names = self.names, {k: list(v) for k, v in self.names.items()}
        for kind in self.names:
            self.names[kind] = [n for n in self.names[kind] if not n.startswith("copy")]
            self.names[kind] += 3 * [f"p{at}" for at, k in enumerate(kinds) if k == kind]
        lines = [f"  let a = {self.number(3)}", f"  let b = {self.vector(2)}"]
        if self.dice.random() < 0.5:
            lines += [f"  if {self.whole(1)} < 9 then", f"    a = a + {self.number(2)}", "  end"]
        lines.append(f"  return a + dot(b, {self.vector(1)}) + {self.number(2)}")
        self.names = outside
        text = "\n".join((f"function {name}({params}) -> float", *lines, "end"))
        self.functions.append(text)
        made = self.dice.choice((0, 1, 1, 2))
        for _ in range(made):
            yield f"{name}({', '.join(self._atom(k) for k in kinds)})"
        if made == 1 and self.dice.random() < 0.7:
            return  # called once, it is inlined
        broken = [self._atom(_FORMS[KINDS[k][1]]) for k in kinds]
        yield f"never {name}({', '.join(broken)})"

    def _written(self) -> Iterator[str]:
        """A struct changed and put into memory, and read again."""
        yield "let copy = all[0]"
        yield "let made = copy"
        for kind in ("way", "share", "count"):
            value = self._atom(_FORMS[KINDS[kind][1]])
            yield f"made.{kind} = {value}"
        yield "own[one - 1] = made"
        yield "out[14] = length(made.way) + saturate(made.share) + float(made.count / 4)"
        yield "let back = saturate(own[one - 1].share) + float(own[0].count / 4)"
        yield "out[15] = length(own[0].way) + back"

    def _lines(self, calls: list[str]) -> Iterator[str]:
        for at, call in enumerate(calls):
            yield f"let r{at} = {self.number(2)}"
            if call.startswith("never "):
                yield f"if one > 3 then r{at} = {call.removeprefix('never ')} end"
                loose = call.split("(")[1].rstrip(")").split(", ")[-1]
                yield f"r{at} += length({loose}) + length(normalize({loose}))"
            else:
                yield f"r{at} += {call}"
            yield f"out[{at}] = r{at}"


def _run(program: _Program, module: Module) -> tuple[float, ...]:
    memory = program.memory(module)
    run_compute(module, "main", (1, 1, 1), Resources(memory))
    found: tuple[float, ...] = decode(Array(FLOAT, 16), memory["out"])
    return found


@pytest.mark.parametrize("seed", range(24))
def test_levels_agree(seed: int) -> None:
    program = _Program(seed)
    module = lowered(program.source)
    wanted = _run(program, module)
    for level, fp in (("basic", "strict"), ("aggressive", "fast"), ("aggressive", "strict")):
        done = optimized(module, level, fp)
        found = _run(program, done)
        exact = fp == "strict"
        assert found == (wanted if exact else pytest.approx(wanted, rel=2e-3, abs=2e-3))


def test_facts_count_in_these_programs() -> None:
    """Otherwise the comparison would say little."""
    saved = 0
    for seed in range(3):
        text = _Program(seed).source
        without = text
        for fact, _ in KINDS.values():
            without = without.replace(f"{fact} ", "") if fact else without
        fewer, more = (
            sum(len(work(f)) for f in optimized(lowered(t)).functions) for t in (text, without)
        )
        saved += more - fewer
    assert saved > 60
