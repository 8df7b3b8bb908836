"""Random statements."""

from __future__ import annotations

from collections.abc import Callable

from tests.run.programs.expressions import Expressions
from tests.run.programs.nodes import (
    ARITHMETIC,
    CELLS,
    SCALARS,
    VECTORS,
    Action,
    Compute,
    Env,
    Returned,
    wrap,
)


class Statements(Expressions):
    """Makes statements and blocks of them."""

    __slots__ = ()

    def block(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """Some statements in a scope of their own."""
        with self.scope():
            return self.statements(depth, indent)

    def statements(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """Some statements in the scope that is open."""
        lines: list[str] = []
        actions: list[Action] = []
        for _ in range(self.random.randrange(1, 5)):
            if self.budget <= 0:
                break
            self.budget -= 1
            text, action = self.statement(depth, indent)
            lines += text
            actions.append(action)

        def run(env: Env) -> None:
            for action in actions:
                action(env)

        return lines, run

    def statement(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """One statement."""
        makers: list[Callable[[int, str], tuple[list[str], Action]]] = [
            self.let, self.let, self.assign, self.assign, self.store, self.part, self.array,
        ]  # fmt: skip
        if depth > 0:
            makers += [self.branch, self.branch, self.counted, self.bounded, self.loop]
            if self.result is not None:
                makers.append(self.leave)
        return self.random.choice(makers)(depth, indent)

    def let(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """A new variable."""
        type_ = self.random.choice([*SCALARS, *VECTORS])
        value = self.expr(type_, 3)
        variable = self.declare(type_)
        if variable is None:
            return self.store(depth, indent)
        self.scopes[-1][variable.name] = variable

        def run(env: Env) -> None:
            env[variable.key] = value.compute(env)

        return [f"{indent}let {variable.name}: {type_} = {value.text}"], run

    def assign(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """A variable gets another value, by ``=`` or an operator with it."""
        type_ = self.random.choice([*SCALARS, *VECTORS])
        variables = self.visible(type_, mutable=True)
        if not variables:
            return self.let(depth, indent)
        v = self.random.choice(variables)
        value = self.expr(type_, 3)
        if type_ in ("int", "uint") and self.random.random() < 0.4:
            op = self.random.choice("+-*")
            f = ARITHMETIC[op]

            def update(env: Env) -> None:
                old = env[v.key]
                env[v.key] = wrap(type_, f(old, value.compute(env)))

            return [f"{indent}{v.name} {op}= {value.text}"], update

        def run(env: Env) -> None:
            env[v.key] = value.compute(env)

        return [f"{indent}{v.name} = {value.text}"], run

    def store(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """A word of memory is written."""
        at, value = self.expr("int", 2), self.expr("int", 3)
        plus = self.random.random() < 0.4

        def run(env: Env) -> None:
            place = at.compute(env) & (CELLS - 1)
            old = env["memory"][place]
            new = value.compute(env)
            env["memory"][place] = wrap("int", old + new) if plus else new

        sign = "+=" if plus else "="
        place = f"data[base + ({at.text} & {CELLS - 1})]"
        # `x += e` is `x = x + (e)`: the old value is read before e's effects happen.
        return [f"{indent}{place} {sign} {value.text}"], run

    def part(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """Some components of a vector are written."""
        type_ = self.random.choice(list(VECTORS))
        variables = self.visible(type_, mutable=True)
        if not variables:
            return self.let(depth, indent)
        v = self.random.choice(variables)
        kind, size = VECTORS[type_]
        if self.random.random() < 0.5:
            at = self.random.sample(range(size), 2)
            value = self.expr("ivec2" if kind == "int" else "uvec2", 2)
            letters = "".join("xyzw"[i] for i in at)

            def swizzle(env: Env) -> None:
                new = value.compute(env)
                old = list(env[v.key])
                for i, x in zip(at, new, strict=True):
                    old[i] = x
                env[v.key] = tuple(old)

            return [f"{indent}{v.name}.{letters} = {value.text}"], swizzle
        where, what = self.expr("int", 1), self.expr(kind, 2)

        def element(env: Env) -> None:
            place = (where.compute(env) & 0xFF) % size
            new = what.compute(env)
            old = list(env[v.key])
            old[place] = new
            env[v.key] = tuple(old)

        return [f"{indent}{v.name}[({where.text} & 255) % {size}] = {what.text}"], element

    def array(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """A local array, written and read by run-time indices; its sum goes to memory."""
        parts = [self.expr("int", 1) for _ in range(4)]
        at, value, back = self.expr("int", 1), self.expr("int", 2), self.expr("int", 1)
        self.keys += 1
        name = f"list{self.keys}"
        cell = self.random.randrange(CELLS)

        def run(env: Env) -> None:
            values = [p.compute(env) for p in parts]
            place = at.compute(env) & 3
            values[place] = value.compute(env)
            env["memory"][cell] = wrap("int", values[back.compute(env) & 3] + values[1])

        return [
            f"{indent}let {name} = [4]int {{ {', '.join(p.text for p in parts)} }}",
            f"{indent}{name}[{at.text} & 3] = {value.text}",
            f"{indent}data[base + {cell}] = {name}[{back.text} & 3] + {name}[1]",
        ], run

    def branch(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """if, perhaps elseif, perhaps else."""
        lines: list[str] = []
        arms: list[tuple[Compute, Action]] = []
        for number in range(self.random.randrange(1, 3)):
            condition = self.expr("bool", 3)
            body, action = self.block(depth - 1, indent + "  ")
            lines += [f"{indent}{'elseif' if number else 'if'} {condition.text} then", *body]
            arms.append((condition.compute, action))
        if self.random.random() < 0.6:
            body, action = self.block(depth - 1, indent + "  ")
            lines += [f"{indent}else", *body]
            arms.append((lambda env: True, action))

        def run(env: Env) -> None:
            for condition, action in arms:
                if condition(env):
                    action(env)
                    return

        return [*lines, f"{indent}end"], run

    def counted(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """A for loop with constant bounds."""
        start, count = self.random.randrange(-2, 3), self.random.randrange(0, 4)
        step = self.random.choice([1, 1, 2, -1, -3])
        stop = start + count * step
        return self.repeat(depth, indent, "", f"{start}, {stop}, {step}",
                           lambda env: range(start, stop, step))  # fmt: skip

    def bounded(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """A for loop with a bound that is known when it runs, and a limit."""
        bound, limit = self.expr("int", 2), self.random.randrange(1, 4)
        return self.repeat(depth, indent, f"@unroll({limit}) ", f"0, {bound.text} & 7",
                           lambda env: range(min(bound.compute(env) & 7, limit)))  # fmt: skip

    def repeat(
        self, depth: int, indent: str, mark: str, bounds: str, values: Callable[[Env], range]
    ) -> tuple[list[str], Action]:
        """A for loop."""
        with self.scope():
            variable = self.declare("int", mutable=False)
            assert variable is not None
            self.scopes[-1][variable.name] = variable
            body, action = self.block(depth - 1, indent + "  ")

        def run(env: Env) -> None:
            for i in values(env):
                env[variable.key] = i
                action(env)

        head = f"{indent}{mark}for {variable.name} = {bounds} do"
        return [head, *body, f"{indent}end"], run

    def loop(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """A while loop that ends by its condition or its limit."""
        condition, limit = self.expr("bool", 3), self.random.randrange(1, 5)
        body, action = self.block(depth - 1, indent + "  ")

        def run(env: Env) -> None:
            for _ in range(limit):
                if not condition.compute(env):
                    return
                action(env)

        head = [f"{indent}@max_iterations({limit})", f"{indent}while {condition.text} do"]
        return [*head, *body, f"{indent}end"], run

    def leave(self, depth: int, indent: str) -> tuple[list[str], Action]:
        """A return under a condition."""
        assert self.result is not None
        condition, value = self.expr("bool", 2), self.expr(self.result, 2)

        def run(env: Env) -> None:
            if condition.compute(env):
                raise Returned(value.compute(env))

        return [f"{indent}if {condition.text} then", f"{indent}  return {value.text}",
                f"{indent}end"], run  # fmt: skip
