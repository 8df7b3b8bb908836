"""Random programs: Luma text together with the same program as Python closures.

Every node is made as a pair, its text and a function that computes it, so that the reference shares
nothing with the compiler.  Programs are of ints, uints, bools and their vectors, with floats that
hold small whole numbers (so that no rounding happens whatever the order), arrays, structs, loops,
early returns, and functions whose effects must happen in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

#: What a run knows: variables by number, the invocation's own memory, effects counted.
Env: TypeAlias = dict[Any, Any]
Compute: TypeAlias = Callable[[Env], Any]
Action: TypeAlias = Callable[[Env], None]

CELLS = 8  # words of buffer memory that an invocation owns
RESULTS = 8  # words that it writes at the end
RUNS = 6

VECTORS = {"ivec2": ("int", 2), "ivec3": ("int", 3), "uvec2": ("uint", 2), "uvec4": ("uint", 4)}
SCALARS = ("int", "uint", "bool", "float")


class Returned(Exception):
    """A function of the program returns."""

    def __init__(self, value: Any) -> None:
        self.value = value


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression: its text and its meaning."""

    text: str
    compute: Compute


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable in scope; ``key`` is its number in an Env."""

    name: str
    type: str
    key: int
    mutable: bool = True


@dataclass(slots=True)
class Function:
    """A function of the program that others may call."""

    name: str
    params: list[str]
    result: str
    call: Callable[[Env, list[Any]], Any]


def wrap(kind: str, x: int) -> int:
    """An int or uint in its range."""
    x &= 0xFFFFFFFF
    return x - (1 << 32) if kind == "int" and x >> 31 else x


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "~": lambda a, b: a ^ b,
    "<<": lambda a, b: a << (b & 31),
    ">>": lambda a, b: a >> (b & 31),
}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@dataclass(slots=True)
class Maker:
    """Makes one program from a seed."""

    random: Random
    scopes: list[dict[str, Variable]] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    keys: int = 0
    budget: int = 0
    result: str | None = None  # the type that `return` gives here; None in the entry point
    pure: bool = False

    # ------------------------------------------------------------ scopes

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A block of its own."""
        self.scopes.append({})
        yield
        self.scopes.pop()

    def declare(self, type_: str, mutable: bool = True) -> Variable | None:
        """A new variable, which may shadow an outer one; None if the names are used up here."""
        free = [n for n in "abcdefgh" if n not in self.scopes[-1]]
        if not free:
            return None
        self.keys += 1
        return Variable(self.random.choice(free), type_, self.keys, mutable)

    def visible(self, type_: str, mutable: bool = False) -> list[Variable]:
        """The variables of a type that a name reaches here."""
        found: dict[str, Variable] = {}
        for scope in self.scopes:
            found |= scope
        return [v for v in found.values() if v.type == type_ and (v.mutable or not mutable)]

    # ------------------------------------------------------------ expressions

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
                return _quotient(x, y) if divide else x - y * _quotient(x, y)

            return Expr(f"({a.text} {op} (({b.text} & 7) + 2))", divided)
        if choice == 6:
            c, a, b = self.expr("bool", depth), self.expr(type_, depth), self.expr(type_, depth)

            def chosen(env: Env) -> Any:
                return _pick(c.compute(env), a.compute(env), b.compute(env))

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
            return Expr(f"{_atom(a)}.{'xyzw'[at]}", lambda env: a.compute(env)[at])
        if choice == 10 and type_ == "int":
            return self.cell(depth)
        if choice == 11 and not self.pure:
            return self.call(type_, depth)
        a = self.expr(type_, depth)
        if type_ == "int" and r.random() < 0.5:
            return Expr(f"(-{_atom(a)})", lambda env: wrap("int", -a.compute(env)))
        return Expr(f"(~{_atom(a)})", lambda env: wrap(type_, ~a.compute(env)))

    def arithmetic(self, type_: str, depth: int) -> Expr:
        """Two operands and an operator; the text has parentheses."""
        op, f = self.random.choice(list(_ARITHMETIC.items()))
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
            op, f = self.random.choice(list(_COMPARE.items()))
            a, b = self.expr(kind, depth), self.expr(kind, depth)
            return Expr(f"({a.text} {op} {b.text})", lambda env: f(a.compute(env), b.compute(env)))
        if choice == 3:
            a = self.expr("bool", depth)
            return Expr(f"(not {_atom(a)})", lambda env: not a.compute(env))
        if choice == 4:
            vector = self.random.choice(list(VECTORS))
            a, b = self.expr(vector, depth), self.expr(vector, depth)
            return Expr(f"({a.text} == {b.text})", lambda env: a.compute(env) == b.compute(env))
        a, b = self.expr("bool", depth), self.expr("bool", depth)
        if self.random.random() < 0.5:
            return Expr(f"({a.text} and {b.text})", lambda env: a.compute(env) and b.compute(env))
        return Expr(f"({a.text} or {b.text})", lambda env: a.compute(env) or b.compute(env))

    def real(self, type_: str, depth: int) -> Expr:
        """A float that holds a small whole number."""
        a, b = self.expr("int", depth), self.expr("int", depth)
        op = self.random.choice("+-*")
        f = _ARITHMETIC[op]
        return Expr(
            f"(float({a.text} & 255) {op} float({b.text} & 255))",
            lambda env: f(a.compute(env) & 255, b.compute(env) & 255),
        )

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

            return Expr(f"{_atom(a)}.{letters}", swizzled)
        op, f = self.random.choice(list(_ARITHMETIC.items()))
        a, b = self.expr(type_, depth), self.expr(type_, depth)
        return Expr(
            f"({a.text} {op} {b.text})",
            lambda env: tuple(
                wrap(kind, f(x, y)) for x, y in zip(a.compute(env), b.compute(env), strict=True)
            ),
        )

    # ------------------------------------------------------------ statements

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
            f = _ARITHMETIC[op]

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

    # ------------------------------------------------------------ functions

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


def _atom(e: Expr) -> str:
    """The text of an expression that a postfix or a prefix can stand at."""
    return e.text if e.text.startswith("(") or e.text.isidentifier() else f"({e.text})"


def _pick(condition: bool, a: Any, b: Any) -> Any:
    return a if condition else b


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
