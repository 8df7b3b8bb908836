"""Random float expressions that binary32 computes exactly in whatever order."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tests.run.programs.nodes import ARITHMETIC, Env, Expr, Real, atom, dot
from tests.run.programs.scopes import Scopes


class Reals(Scopes):
    """Makes float expressions."""

    __slots__ = ()

    def real(self, type_: str, depth: int) -> Expr:
        """A float that holds a whole number of at most 256."""
        e = self.exact(min(depth, 3))
        if e.bound <= 256 and e.bits == 0:
            return e
        return Expr(
            f"floor(clamp({e.text}, -256.0, 256.0))",
            lambda env: math.floor(min(max(e.compute(env), -256), 256)),
        )

    def exact(self, depth: int) -> Real:
        """A float expression that binary32 computes exactly in whatever order it is evaluated."""
        if depth <= 0 or self.random.random() < 0.2:
            if self.random.random() < 0.5:
                leaf = self.leaf("float")
                return Real(leaf.text, leaf.compute, 256)
            whole = self.expr("int", min(depth, 1))
            return Real(f"float({whole.text} & 15)", lambda env: whole.compute(env) & 15, 15)
        make = self.random.choice(
            (self.sum, self.sum, self.product, self.product, self.scaled, self.rounded,
             self.nearest, self.between, self.scalar_product, self.transformed)
        )  # fmt: skip
        made = make(depth - 1)
        return made if made.bound << made.bits < 1 << 22 else self.exact(0)

    def sum(self, depth: int) -> Real:
        """a + b or a - b."""
        a, b = self.exact(depth), self.exact(depth)
        op = self.random.choice("+-")
        f = ARITHMETIC[op]
        return Real(
            f"({a.text} {op} {b.text})",
            lambda env: f(a.compute(env), b.compute(env)),
            a.bound + b.bound,
            max(a.bits, b.bits),
        )

    def product(self, depth: int) -> Real:
        """a * b, or with c added."""
        a, b, c = self.exact(depth), self.exact(depth), self.exact(depth)
        bits = max(a.bits + b.bits, c.bits)
        if self.random.random() < 0.3:
            return Real(
                f"fma({a.text}, {b.text}, {c.text})",
                lambda env: a.compute(env) * b.compute(env) + c.compute(env),
                a.bound * b.bound + c.bound,
                bits,
            )
        return Real(
            f"({a.text} * {b.text})",
            lambda env: a.compute(env) * b.compute(env),
            a.bound * b.bound,
            a.bits + b.bits,
        )

    def scaled(self, depth: int) -> Real:
        """a by a power of two, or negated."""
        a = self.exact(depth)
        form, factor = self.random.choice(
            (("({} * 0.5)", 0.5), ("({} / 4.0)", 0.25), ("(2.0 * {})", 2.0), ("(-{})", -1.0),
             ("({} * -1.0)", -1.0), ("({} / 1.0)", 1.0))
        )  # fmt: skip
        return Real(
            form.format(atom(a)), lambda env: a.compute(env) * factor, 2 * a.bound, a.bits + 2
        )

    def rounded(self, depth: int) -> Real:
        """A function of one operand."""
        a = self.exact(depth)
        name, f = self.random.choice(
            (("floor", math.floor), ("ceil", math.ceil), ("trunc", math.trunc), ("abs", abs),
             ("sign", lambda x: (x > 0) - (x < 0)), ("fract", lambda x: x - math.floor(x)),
             ("saturate", lambda x: min(max(x, 0), 1)))
        )  # fmt: skip
        call: Callable[[Any], Any] = f
        return Real(f"{name}({a.text})", lambda env: call(a.compute(env)), a.bound + 1, a.bits)

    def nearest(self, depth: int) -> Real:
        """min, max, step or a choice between two."""
        a, b, c = self.exact(depth), self.exact(depth), self.expr("bool", depth)
        form, f = self.random.choice(
            (("min({a}, {b})", lambda z, x, y: min(x, y)),
             ("max({a}, {b})", lambda z, x, y: max(x, y)),
             ("step({a}, {b})", lambda z, x, y: int(y >= x)),
             ("select({c}, {a}, {b})", lambda z, x, y: x if z else y))
        )  # fmt: skip
        choose: Callable[[bool, Any, Any], Any] = f
        return Real(
            form.format(a=a.text, b=b.text, c=c.text),
            lambda env: choose(
                c.compute(env) if "{c}" in form else True, a.compute(env), b.compute(env)
            ),
            max(a.bound, b.bound, 1),
            max(a.bits, b.bits),
        )

    def between(self, depth: int) -> Real:
        """mix half way, or what is left over by 4."""
        a, b = self.exact(depth), self.exact(depth)
        if self.random.random() < 0.5:
            return Real(
                f"mix({a.text}, {b.text}, 0.5)",
                lambda env: a.compute(env) * 0.5 + b.compute(env) * 0.5,
                a.bound + b.bound,
                max(a.bits, b.bits) + 1,
            )
        return Real(f"({a.text} % 4.0)", lambda env: a.compute(env) % 4, a.bound + 4, a.bits + 2)

    def scalar_product(self, depth: int) -> Real:
        """The dot product of two vectors."""
        size = self.random.randrange(2, 5)
        a = [self.exact(min(depth, 1)) for _ in range(size)]
        b = [self.exact(min(depth, 1)) for _ in range(size)]
        left, right = (", ".join(e.text for e in side) for side in (a, b))
        return Real(
            f"dot(vec{size}({left}), vec{size}({right}))",
            lambda env: dot([e.compute(env) for e in a], [e.compute(env) for e in b]),
            sum(x.bound * y.bound for x, y in zip(a, b, strict=True)),
            max(x.bits for x in a) + max(y.bits for y in b),
        )

    def transformed(self, depth: int) -> Real:
        """A component of a matrix times a vector, either way round."""
        m = [self.exact(min(depth, 1)) for _ in range(4)]
        v = [self.exact(min(depth, 1)) for _ in range(2)]
        row = self.random.randrange(2)
        matrix = f"mat2({', '.join(e.text for e in m)})"
        vector = f"vec2({', '.join(e.text for e in v)})"
        most = sum(e.bound for e in m) * max(e.bound for e in v)
        bits = max(e.bits for e in m) + max(e.bits for e in v)
        if self.random.random() < 0.5:

            def by_column(env: Env) -> Any:
                cells = [e.compute(env) for e in m]
                return dot([cells[row], cells[row + 2]], [e.compute(env) for e in v])

            return Real(f"({matrix} * {vector}).{'xy'[row]}", by_column, most, bits)

        def by_row(env: Env) -> Any:
            values = [e.compute(env) for e in v]
            return dot([e.compute(env) for e in m][2 * row : 2 * row + 2], values)

        return Real(f"({vector} * {matrix}).{'xy'[row]}", by_row, most, bits)
