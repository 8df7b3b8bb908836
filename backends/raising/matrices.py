"""Matrix operations, by columns; an inverse becomes a function of the module."""

from __future__ import annotations

from collections.abc import Callable

from luma.ir.module import Block, Function, FunctionParam, Instr, Module, Return
from luma.language.types import FLOAT, Matrix, Type, Vector

from .builder import Builder

Expansion = Callable[[Builder, Instr], object]


def _columns(b: Builder, value: int) -> list[int]:
    t = b.types[value]
    assert isinstance(t, Matrix)
    return [b.part(value, i) for i in range(t.cols)]


def _by_columns(b: Builder, instr: Instr) -> object:
    """A sum, difference or negation."""
    if not isinstance(instr.type, Matrix):
        return b.add(instr.op, instr.type, instr.args)
    operands = [_columns(b, arg) for arg in instr.args]
    return b.construct(instr.type, [b.each(instr.op, *parts) for parts in zip(*operands)])  # noqa: B905


def _mat_scale(b: Builder, instr: Instr) -> object:
    """Each column times the scalar."""
    m, k = instr.args
    t = instr.type
    assert isinstance(t, Matrix)
    factor = b.splat(k, t.column)
    return b.construct(t, [b.each("mul", column, factor) for column in _columns(b, m)])


def _outer_product(b: Builder, instr: Instr) -> object:
    """The column vector times each component of the row."""
    column, row = instr.args
    t = instr.type
    assert isinstance(t, Matrix)
    parts = [b.each("mul", column, b.splat(b.part(row, i), t.column)) for i in range(t.cols)]
    return b.construct(t, parts)


def _transpose(b: Builder, instr: Instr) -> object:
    """Rows become columns."""
    (m,) = instr.args
    t = instr.type
    assert isinstance(t, Matrix)
    columns = [
        b.construct(t.column, [b.part(m, row, col) for row in range(t.rows)])
        for col in range(t.cols)
    ]
    return b.construct(t, columns)


def _determinant(b: Builder, instr: Instr) -> object:
    (m,) = instr.args
    t = b.types[m]
    assert isinstance(t, Matrix)
    return _Minors(b, m, t.cols).whole()


def _inverse(b: Builder, instr: Instr) -> object:
    (m,) = instr.args
    return _adjugate(b, m, instr.type, {})


EXPANSIONS: dict[str, Expansion] = {
    "add": _by_columns,
    "sub": _by_columns,
    "neg": _by_columns,
    "mat_scale": _mat_scale,
    "outer_product": _outer_product,
    "transpose": _transpose,
    "determinant": _determinant,
    "inverse": _inverse,
}


class Helpers:
    """The functions that inverses are calls of, one a size."""

    def __init__(self, module: Module) -> None:
        self._taken = {f.name for f in module.functions} | {g.name for g in module.globals}
        self._taken |= {c.name for c in module.spec_constants}
        self._made: dict[Type, Function] = {}

    def inverse(self, t: Type) -> str:
        """The name of the function that inverts a matrix."""
        if t not in self._made:
            name = f"inverse_{t}"
            while name in self._taken:
                name += "_"
            self._made[t] = _inverse_function(name, t)
        return self._made[t].name

    def functions(self) -> tuple[Function, ...]:
        """The functions asked for."""
        return tuple(self._made.values())


def _inverse_function(name: str, t: Type) -> Function:
    b = Builder({0: t}, 1)
    names = {0: "m"}
    result = _adjugate(b, 0, t, names)
    block = Block(0, (), tuple(b.instrs), Return((result,)))
    return Function(name, (FunctionParam(0, "m", t),), (t,), (block,), names)


def _adjugate(b: Builder, m: int, t: Type, names: dict[int, str]) -> int:
    """The transposed matrix of cofactors over the determinant; ``names`` gets those of parts."""
    assert isinstance(t, Matrix)
    size = t.cols
    minors = _Minors(b, m, size)
    determinant = minors.whole()
    columns = []
    for col in range(size):
        parts = []
        for row in range(size):
            minor = minors.without(col=row, row=col)
            parts.append(b.each("neg", minor) if (row + col) % 2 else minor)
        divisor = b.splat(determinant, t.column)
        columns.append(b.each("div", b.construct(Vector(FLOAT, size), parts), divisor))
    names.update(minors.names())
    names[determinant] = "determinant_m"
    return b.construct(t, columns)


class _Minors:
    """Determinants of a matrix's parts, each written once, along its first rows."""

    def __init__(self, b: Builder, m: int, size: int) -> None:
        self._b = b
        self._size = size
        self._m = m
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}

    def whole(self) -> int:
        """The matrix's own determinant."""
        everything = tuple(range(self._size))
        return self._of(everything, everything)

    def without(self, col: int, row: int) -> int:
        """The determinant without a column and a row."""
        cols = tuple(c for c in range(self._size) if c != col)
        return self._of(cols, tuple(r for r in range(self._size) if r != row))

    def names(self) -> dict[int, str]:
        """Names of the minors: their columns and rows."""
        return {
            value: f"minor_{''.join(map(str, cols))}_{''.join(map(str, rows))}"
            for (cols, rows), value in self._known.items()
            if len(cols) > 1
        }

    def _of(self, cols: tuple[int, ...], rows: tuple[int, ...]) -> int:
        if (cols, rows) not in self._known:
            self._known[cols, rows] = self._compute(cols, rows)
        return self._known[cols, rows]

    def _compute(self, cols: tuple[int, ...], rows: tuple[int, ...]) -> int:
        b = self._b
        if len(cols) == 1:
            return b.part(self._m, cols[0], rows[0])
        total = None
        for at, col in enumerate(cols):
            rest = cols[:at] + cols[at + 1 :]
            term = b.each("mul", self._of((col,), rows[:1]), self._of(rest, rows[1:]))
            if total is None:
                total = term
            else:
                total = b.each("sub" if at % 2 else "add", total, term)
        assert total is not None
        return total
