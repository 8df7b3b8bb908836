"""Random expressions of ints, bools and vectors."""

from __future__ import annotations

from typing import Any

from tests.run.programs.nodes import (
    ARITHMETIC,
    CELLS,
    COMPARE,
    SCALARS,
    VECTORS,
    Env,
    Expr,
    atom,
    pick,
    quotient,
    wrap,
)
from tests.run.programs.reals import Reals


class Expressions(Reals):
    """Makes expressions of every type."""

    __slots__ = ()

    def expr(self, type_: str, depth: int) -> Expr:
        """A random expression of a type."""
        if depth <= 0 or self.random.random() < 0.2:
            return self.leaf(type_)
        if type_ in VECTORS:
            return self.vector(type_, depth - 1)
        make = {"int": self.whole, "uint": self.whole, "bool": self.truth, "float": self.real}
        return make[type_](type_, depth - 1)

    def leaf(self, type_: str) -> Expr:
        """A variable or a constant."""
        variables = self.visible(type_)
        if variables and self.random.random() < 0.75:
            v = self.random.choice(variables)
            return Expr(v.name, lambda env: env[v.key])
        if type_ in VECTORS:
            kind, size = VECTORS[type_]
            return self.construct(type_, [self.leaf(kind) for _ in range(size)])
        return self.constant(type_)

    def constant(self, type_: str) -> Expr:
        """A literal."""
        if type_ == "bool":
            b = self.random.random() < 0.5
            return Expr("true" if b else "false", lambda env: b)
        if type_ == "float":
            x = self.random.randrange(9)
            return Expr(f"{x}.0", lambda env: x)
        n = self.random.choice([0, 1, 2, 3, 5, 7, 8, 31, 255, 1000, 2147483647])
        return Expr(f"{type_}({n})", lambda env: n)

    def construct(self, type_: str, parts: list[Expr]) -> Expr:
        """A vector of its components."""
        text = f"{type_}({', '.join(p.text for p in parts)})"
        return Expr(text, lambda env: tuple([p.compute(env) for p in parts]))

    def whole(self, type_: str, depth: int) -> Expr:
        """An int or uint."""
        r = self.random
        choice = r.randrange(13)
        if choice < 5:
            return self.arithmetic(type_, depth)
        if choice == 5:  # a divisor that is neither 0 nor -1
            a, b = self.expr(type_, depth), self.expr(type_, depth)
            op, divide = r.choice((("/", True), ("%", False)))

            def divided(env: Env) -> int:
                x, y = a.compute(env), (b.compute(env) & 7) + 2
                return quotient(x, y) if divide else x - y * quotient(x, y)

            return Expr(f"({a.text} {op} (({b.text} & 7) + 2))", divided)
        if choice == 6:
            c, a, b = self.expr("bool", depth), self.expr(type_, depth), self.expr(type_, depth)

            def chosen(env: Env) -> Any:
                return pick(c.compute(env), a.compute(env), b.compute(env))

            return Expr(f"select({c.text}, {a.text}, {b.text})", chosen)
        if choice == 7:
            name, f = r.choice((("min", min), ("max", max)))
            a, b = self.expr(type_, depth), self.expr(type_, depth)
            return Expr(
                f"{name}({a.text}, {b.text})", lambda env: f(a.compute(env), b.compute(env))
            )
        if choice == 8:
            return self.conversion(type_, depth)
        if choice == 9:
            vector, size = r.choice([(v, n) for v, (k, n) in VECTORS.items() if k == type_])
            a, at = self.expr(vector, depth), r.randrange(size)
            return Expr(f"{atom(a)}.{'xyzw'[at]}", lambda env: a.compute(env)[at])
        if choice == 10 and type_ == "int":
            return self.cell(depth)
        if choice == 11:
            return self.call(type_, depth)
        a = self.expr(type_, depth)
        if type_ == "int" and r.random() < 0.5:
            return Expr(f"(-{atom(a)})", lambda env: wrap("int", -a.compute(env)))
        return Expr(f"(~{atom(a)})", lambda env: wrap(type_, ~a.compute(env)))

    def arithmetic(self, type_: str, depth: int) -> Expr:
        """Two operands and an operator; the text has parentheses."""
        op, f = self.random.choice(list(ARITHMETIC.items()))
        a, b = self.expr(type_, depth), self.expr(type_, depth)
        return Expr(
            f"({a.text} {op} {b.text})", lambda env: wrap(type_, f(a.compute(env), b.compute(env)))
        )

    def conversion(self, type_: str, depth: int) -> Expr:
        """A number from another scalar type."""
        source = self.random.choice([t for t in SCALARS if t != type_])
        a = self.expr(source, depth)
        if source == "float" and type_ == "uint":  # of a negative float it is unspecified
            return Expr(f"uint(abs({a.text}))", lambda env: abs(a.compute(env)))
        return Expr(f"{type_}({a.text})", lambda env: wrap(type_, int(a.compute(env))))

    def cell(self, depth: int) -> Expr:
        """A word of the invocation's memory."""
        a = self.expr("int", depth)
        return Expr(
            f"data[base + ({a.text} & {CELLS - 1})]",
            lambda env: env["memory"][a.compute(env) & (CELLS - 1)],
        )

    def call(self, type_: str, depth: int) -> Expr:
        """A call of a function made before, or of one with an effect."""
        fitting = [f for f in self.functions if f.result == type_]
        if not fitting:
            return self.leaf(type_)
        f = self.random.choice(fitting)
        args = [self.expr(t, min(depth, 1)) for t in f.params]
        text = ", ".join(["base", *(a.text for a in args)])
        return Expr(f"{f.name}({text})", lambda env: f.call(env, [a.compute(env) for a in args]))

    def truth(self, type_: str, depth: int) -> Expr:
        """A bool."""
        choice = self.random.randrange(6)
        if choice < 3:
            kind = self.random.choice(("int", "uint", "float"))
            op, f = self.random.choice(list(COMPARE.items()))
            a, b = self.expr(kind, depth), self.expr(kind, depth)
            return Expr(f"({a.text} {op} {b.text})", lambda env: f(a.compute(env), b.compute(env)))
        if choice == 3:
            a = self.expr("bool", depth)
            return Expr(f"(not {atom(a)})", lambda env: not a.compute(env))
        if choice == 4:
            vector = self.random.choice(list(VECTORS))
            a, b = self.expr(vector, depth), self.expr(vector, depth)
            return Expr(f"({a.text} == {b.text})", lambda env: a.compute(env) == b.compute(env))
        a, b = self.expr("bool", depth), self.expr("bool", depth)
        if self.random.random() < 0.5:
            return Expr(f"({a.text} and {b.text})", lambda env: a.compute(env) and b.compute(env))
        return Expr(f"({a.text} or {b.text})", lambda env: a.compute(env) or b.compute(env))

    def vector(self, type_: str, depth: int) -> Expr:
        """A vector."""
        kind, size = VECTORS[type_]
        choice = self.random.randrange(4)
        if choice == 0:
            return self.construct(type_, [self.expr(kind, depth) for _ in range(size)])
        if choice == 1:
            a = self.expr(type_, depth)
            order = [self.random.randrange(size) for _ in range(size)]
            letters = "".join("xyzw"[i] for i in order)

            def swizzled(env: Env) -> Any:
                value = a.compute(env)
                return tuple(value[i] for i in order)

            return Expr(f"{atom(a)}.{letters}", swizzled)
        op, f = self.random.choice(list(ARITHMETIC.items()))
        a, b = self.expr(type_, depth), self.expr(type_, depth)
        return Expr(
            f"({a.text} {op} {b.text})",
            lambda env: tuple(
                wrap(kind, f(x, y)) for x, y in zip(a.compute(env), b.compute(env), strict=True)
            ),
        )
