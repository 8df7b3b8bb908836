"""Random straight-line IR over values of all shapes, and what it computes.

Every operation is exact on the small numbers that come up, so the outcome is known to the bit.  The
inputs come from a buffer; the last values go to another, through local memory now and then.
"""

from __future__ import annotations

import random
from typing import Any

from luma.language.evaluate import evaluate
from luma.language.types import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    Array,
    Field,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    element,
    element_count,
    is_bool,
    scalar_of,
    with_scalar,
)

SCALARS: tuple[Scalar, ...] = (BOOL, INT, UINT, FLOAT)
VECTORS = tuple(Vector(s, n) for s in SCALARS for n in (2, 3, 4))
MATRICES: tuple[Type, ...] = tuple(Matrix(c, r) for c in (2, 3, 4) for r in (2, 3, 4))
PAIR = Struct("Pair", (Field("on", BOOL), Field("list", Array(Vector(FLOAT, 3), 2))))
NEST = Struct("Nest", (Field("pair", PAIR), Field("m", Matrix(2, 3)), Field("k", Vector(INT, 2))))
AGGREGATES: tuple[Type, ...] = (
    PAIR, NEST, Array(FLOAT, 3), Array(PAIR, 2), Array(Matrix(2, 2), 2), Array(Vector(BOOL, 2), 3)
)  # fmt: skip
NUMBERS: tuple[Type, ...] = (*SCALARS, *VECTORS)
TYPES: tuple[Type, ...] = (*SCALARS, *VECTORS, *MATRICES, *AGGREGATES)

#: Exact operations on numbers: name and operand count.
NUMERIC = (("add", 2), ("sub", 2), ("min", 2), ("max", 2))
LOGICAL = (("and", 2), ("or", 2), ("not", 1), ("eq", 2), ("ne", 2))
INTEGER = (("bit_and", 2), ("bit_or", 2), ("bit_xor", 2), ("bit_not", 1), ("shr", 2), ("shl", 2))
COMPARE = ("lt", "le", "gt", "ge", "eq", "ne")


def random_value(random_: random.Random, t: Type) -> Any:
    """A small value of a type."""
    if isinstance(t, Scalar):
        if t == BOOL:
            return random_.random() < 0.5
        number = random_.randrange(0 if t == UINT else -9, 10)
        return float(number) if t == FLOAT else number
    return tuple(random_value(random_, element(t, at)) for at in range(element_count(t)))


class Program:
    """A growing program; ``values`` are (number, type, outcome), ``lines`` its instructions."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.values: list[tuple[int, Type, Any]] = []
        self.inputs: list[tuple[Type, Any]] = []
        self.outputs: list[tuple[Type, Any]] = []
        self._number = 10
        for t in self.random.sample(TYPES, 8):
            self._input(t)
        for _ in range(60):
            self._step()
        for _, t, outcome in self.values[-12:]:
            self.outputs.append((t, outcome))

    # ------------------------------------------------------------ writing

    def _new(self) -> int:
        self._number += 1
        return self._number

    def _emit(self, t: Type, text: str, outcome: Any) -> int:
        number = self._new()
        self.lines.append(f"  %{number}: {t} = {text}")
        self.values.append((number, t, outcome))
        return number

    def _input(self, t: Type) -> None:
        outcome = random_value(self.random, t)
        pointer = self._new()
        access = f"access [{len(self.inputs)}] %1"
        self.lines.append(f"  %{pointer}: ptr<uniform, {t}> = {access}")
        self.inputs.append((t, outcome))
        self._emit(t, f"load %{pointer}", outcome)

    def _pick(self, t: Type) -> tuple[int, Any]:
        """A value of a type: one there is, or a new one."""
        found = [(n, v) for n, u, v in self.values if u == t]
        if found and self.random.random() < 0.8:
            return self.random.choice(found)
        return self._make(t)

    def _make(self, t: Type) -> tuple[int, Any]:
        if isinstance(t, Scalar):
            value = random_value(self.random, t)
            return self._emit(t, f"const {str(value).lower()}", value), value
        if isinstance(t, Vector) and self.random.random() < 0.3:
            number, value = self._pick(t.elem)
            return self._emit(t, f"splat %{number}", (value,) * t.size), (value,) * t.size
        parts = [self._pick(element(t, at)) for at in range(element_count(t))]
        text = "construct " + ", ".join(f"%{n}" for n, _ in parts)
        outcome = tuple(v for _, v in parts)
        return self._emit(t, text, outcome), outcome

    # ------------------------------------------------------------ steps

    def _step(self) -> None:
        choose = self.random.choice
        choose((self._arithmetic, self._arithmetic, self._compare, self._extract, self._extract,
                self._insert, self._shuffle, self._select, self._convert, self._through_memory,
                lambda: self._make(choose(TYPES))))()  # fmt: skip

    def _apply(self, op: str, result: Type, operands: list[tuple[int, Type, Any]]) -> None:
        types = [t for _, t, _ in operands]
        outcome = evaluate(op, result, types, [v for _, _, v in operands])
        if within(outcome):
            text = f"{op} " + ", ".join(f"%{n}" for n, _, _ in operands)
            self._emit(result, text, outcome)

    def _operands(self, t: Type, count: int) -> list[tuple[int, Type, Any]]:
        return [(n, t, v) for n, v in (self._pick(t) for _ in range(count))]

    def _arithmetic(self) -> None:
        t = self.random.choice((*NUMBERS, *MATRICES))
        if isinstance(t, Matrix):
            op, count = self.random.choice((*NUMERIC[:2], ("neg", 1)))
        elif is_bool(t):
            op, count = self.random.choice(LOGICAL)
        elif scalar_of(t) == FLOAT:
            op, count = self.random.choice((*NUMERIC, ("neg", 1), ("abs", 1), ("mul", 2)))
        else:
            op, count = self.random.choice((*NUMERIC, *INTEGER))
        self._apply(op, t, self._operands(t, count))

    def _compare(self) -> None:
        t = self.random.choice([t for t in NUMBERS if not is_bool(t)])
        self._apply(self.random.choice(COMPARE), with_scalar(t, BOOL), self._operands(t, 2))

    def _path(self, t: Type, run_time: bool) -> tuple[list[int | None], list[int], list[int], Type]:
        """A path into t: as immediates, the operands of its run-time steps, and as plain ints."""
        imm: list[int | None] = []
        operands: list[int] = []
        plain: list[int] = []
        while not isinstance(t, Scalar) and (not plain or self.random.random() < 0.6):
            index = self.random.randrange(element_count(t))
            if run_time and not isinstance(t, Struct) and self.random.random() < 0.6:
                kind = self.random.choice((INT, UINT))
                operands.append(self._index(kind, index))
                imm.append(None)
            else:
                imm.append(index)
            plain.append(index)
            t = element(t, index)
        return imm, operands, plain, t

    def _index(self, kind: Scalar, wanted: int) -> int:
        found = [n for n, t, v in self.values if t == kind and v == wanted]
        if found:
            return self.random.choice(found)
        return self._emit(kind, f"const {wanted}", wanted)

    def _aggregate(self) -> tuple[int, Type, Any]:
        t = self.random.choice((*VECTORS, *MATRICES, *AGGREGATES, *AGGREGATES))
        number, outcome = self._pick(t)
        return number, t, outcome

    def _extract(self) -> None:
        number, t, outcome = self._aggregate()
        imm, operands, plain, inner = self._path(t, run_time=self.random.random() < 0.5)
        for index in plain:
            outcome = outcome[index]
        arguments = ", ".join(f"%{n}" for n in (number, *operands))
        self._emit(inner, f"extract {path_text(imm)} {arguments}", outcome)

    def _insert(self) -> None:
        number, t, outcome = self._aggregate()
        imm, _, plain, inner = self._path(t, run_time=False)
        part, value = self._pick(inner)
        done = replaced(outcome, plain, value)
        self._emit(t, f"insert {path_text(imm)} %{number}, %{part}", done)

    def _shuffle(self) -> None:
        t = self.random.choice(VECTORS)
        vectors = self._operands(t, self.random.choice((1, 2)))
        joined = [c for _, _, v in vectors for c in v]
        size = self.random.choice((2, 3, 4))
        picks = [self.random.randrange(len(joined)) for _ in range(size)]
        text = ", ".join(f"%{n}" for n, _, _ in vectors)
        outcome = tuple(joined[p] for p in picks)
        self._emit(Vector(t.elem, size), f"shuffle {picks} {text}", outcome)

    def _select(self) -> None:
        t = self.random.choice(NUMBERS)
        wide = self.random.random() < 0.5
        (condition,) = self._operands(with_scalar(t, BOOL) if wide else BOOL, 1)
        self._apply("select", t, [condition, *self._operands(t, 2)])

    def _convert(self) -> None:
        t = self.random.choice(NUMBERS)
        (operand,) = self._operands(t, 1)
        target = with_scalar(t, self.random.choice(SCALARS))
        flat = operand[2] if isinstance(operand[2], tuple) else (operand[2],)
        if scalar_of(t) == FLOAT and scalar_of(target) == UINT and min(flat) < 0:
            return  # unspecified
        self._apply("convert", target, [operand])

    def _through_memory(self) -> None:
        """Into a local variable, changed there by parts, and back."""
        number, t, outcome = self._aggregate()
        variable = self._new()
        self.lines.insert(0, f"  %{variable}: ptr<function, {t}> = local")
        self.lines.append(f"  store %{variable}, %{number}")
        imm, operands, plain, inner = self._path(t, run_time=True)
        part, value = self._pick(inner)
        pointer = self._new()
        arguments = ", ".join(f"%{n}" for n in (variable, *operands))
        access = f"access {path_text(imm)} {arguments}"
        self.lines.append(f"  %{pointer}: ptr<function, {inner}> = {access}")
        self.lines.append(f"  store %{pointer}, %{part}")
        self._emit(t, f"load %{variable}", replaced(outcome, plain, value))

    # ------------------------------------------------------------ the whole

    def text(self) -> str:
        """The program as a compute shader: a uniform struct in, a storage struct out."""
        stores: list[str] = []
        for at, (number, t, _) in enumerate(self.values[-12:]):
            pointer = self._new()
            stores.append(f"  %{pointer}: ptr<storage, {t}> = access [{at}] %2")
            stores.append(f"  store %{pointer}, %{number}")
        structs = [struct_text(s) for s in (PAIR, NEST, self.source(), self.result())]
        return "\n".join((
            *structs,
            "uniform @in: In group(0) binding(0)",
            "storage @out: Out read_write group(0) binding(1)",
            "entry compute main = @main {",
            "}",
            "function @main() {",
            "b0:",
            "  %1: ptr<uniform, In> = global @in",
            "  %2: ptr<storage, Out> = global @out",
            *self.lines,
            *stores,
            "  return",
            "}",
            "",
        ))  # fmt: skip

    def source(self) -> Struct:
        """The type of the input buffer."""
        return Struct("In", tuple(Field(f"i{at}", t) for at, (t, _) in enumerate(self.inputs)))

    def result(self) -> Struct:
        """The type of the output buffer."""
        return Struct("Out", tuple(Field(f"o{at}", t) for at, (t, _) in enumerate(self.outputs)))


def within(outcome: Any) -> bool:
    """Whether all floats are so small that sums and products of them stay exact."""
    if isinstance(outcome, tuple):
        return all(within(part) for part in outcome)
    return not isinstance(outcome, float) or abs(outcome) < 1 << 10


def replaced(outcome: Any, path: list[int], value: Any) -> Any:
    """The aggregate with one part replaced."""
    if not path:
        return value
    at = path[0]
    return (*outcome[:at], replaced(outcome[at], path[1:], value), *outcome[at + 1 :])


def path_text(imm: list[int | None]) -> str:
    """A path as in IR text."""
    return "[" + ", ".join("." if i is None else str(i) for i in imm) + "]"


def struct_text(struct: Struct) -> str:
    """A struct's declaration as in IR text."""
    fields = ", ".join(f"{f.name}: {f.type}" for f in struct.fields)
    return f"struct {struct.name} {{ {fields} }}"
