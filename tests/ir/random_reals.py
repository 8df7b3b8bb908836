"""Random programs of floats, vectors and matrices: Luma source, with nothing unspecified in it.

They have loops, early returns also from within loops, calls, local arrays, structs, and workgroup
memory between barriers.  What they compute is compared with what the same program computes when it
is not optimized, on any bits: ``steady`` programs have branches on ints alone, so that results move
little where floats do.
"""

from __future__ import annotations

import random

INVOCATIONS = 4
#: Floats that each invocation reads and writes.
READ, WRITTEN = 12, 6

_SHAPES = ("float", "vec2", "vec3", "vec4", "mat2", "mat3")
_VECTORS = {"vec2": 2, "vec3": 3, "vec4": 4}
_MATRICES = {"mat2": 2, "mat3": 3}
_ONE = ["abs", "floor", "sqrt", "fract", "sign", "ceil", "saturate", "-", "-"]
_TWO = ["+", "-", "*", "*", "+", "min", "max", "step", "/"]
_SMOOTH_ONE = ["abs", "-", "saturate"]
_SMOOTH_TWO = ["+", "-", "*", "*", "+", "min", "max"]


class Reals:
    """Makes the source of one program."""

    def __init__(self, seed: int, *, steady: bool = False) -> None:
        self.random = random.Random(f"{seed} {steady}")
        self.steady = steady
        self.scopes: list[dict[str, str]] = []
        self.helpers: list[tuple[str, str, list[str]]] = []
        self.fixed: set[str] = set()
        self.names = 0
        self.budget = 0

    def source(self) -> str:
        """The program."""
        functions = [self._helper(f"helper{n}") for n in range(self.random.randint(1, 3))]
        main = self._main()
        return "\n".join([_HEADER, *functions, main])

    # ------------------------------------------------------------ functions

    def _helper(self, name: str) -> str:
        result = self.random.choice(_SHAPES)
        params = [self.random.choice([*_SHAPES, "int"]) for _ in range(self.random.randint(1, 3))]
        self.scopes = [{f"p{n}": t for n, t in enumerate(params)}, {}]
        self.budget = 8
        body = self._lines(2, result)
        text = ", ".join(f"p{n}: {t}" for n, t in enumerate(params))
        lines = [f"function {name}({text}) -> {result}", *body]
        lines += [f"  return {self._of(result, 2)}", "end"]
        self.helpers.append((name, result, params))
        return "\n".join(lines)

    def _main(self) -> str:
        self.scopes = [
            {"x": "float", "y": "float", "u": "vec3", "w": "vec4", "n": "int", "k": "int"},
            {},
        ]
        self.budget = 14
        lines = [_MAIN, *self._lines(3, None), "  tile[at] = " + self._of("vec4", 2)]
        lines += ["  workgroup_barrier()", f"  w = tile[(at + {self.random.randint(0, 3)}) & 3]"]
        if self.random.random() < 0.5:
            lines += ["  workgroup_barrier()", "  tile[at].x = " + self._of("float", 1)]
            lines += ["  let w2 = tile[at]", "  workgroup_barrier()"]
            self.scopes[0]["w2"] = "vec4"
        lines += self._lines(2, None)
        lines += [f"  out[at * {WRITTEN} + {n}] = {self._of('float', 2)}" for n in range(3)]
        last = self._of("vec3", 2)
        lines += [f"  let last = {last}"]
        lines += [f"  out[at * {WRITTEN} + {n + 3}] = last[{n}]" for n in range(3)]
        return "\n".join([*lines, "end"])

    # ------------------------------------------------------------ statements

    def _block(self, depth: int, result: str | None) -> list[str]:
        """The lines of a block; what it declares is known in it only."""
        self.scopes.append({})
        lines = self._lines(depth, result)
        self.scopes.pop()
        return lines

    def _lines(self, depth: int, result: str | None) -> list[str]:
        return [
            f"  {line}"
            for _ in range(self.random.randint(1, 4))
            for line in self._statement(depth, result)
        ]

    def _statement(self, depth: int, result: str | None) -> list[str]:
        self.budget -= 1
        kinds = ["let", "let", "set", "set", "part"]
        if depth > 0 and self.budget > 0:
            kinds += ["if", "if", "for", "array", "store"] + ["return"] * (result is not None)
        match self.random.choice(kinds):
            case "let":
                return [self._let(self.random.choice([*_SHAPES, "float"]))]
            case "set":
                return [self._set()]
            case "part":
                return self._part()
            case "if":
                lines = [f"if {self._bool()} then", *self._block(depth - 1, result)]
                if self.random.random() < 0.5:
                    lines += ["else", *self._block(depth - 1, result)]
                return [*lines, "end"]
            case "for":
                return self._for(depth, result)
            case "array":
                return self._array()
            case "store":
                if result is not None:
                    return [self._let("float")]
                return [f"data[at * {READ} + ({self._int()} & 3)] = {self._of('float', 1)}"]
        assert result is not None
        return [f"if {self._bool()} then return {self._of(result, 1)} end"]

    def _name(self, type: str, letter: str) -> str:
        self.names += 1
        name = f"{letter}{self.names}"
        self.scopes[-1][name] = type
        return name

    def _let(self, type: str) -> str:
        value = self._of(type, 2)
        return f"let {self._name(type, 'a')}: {type} = {value}"

    def _set(self) -> str:
        name, type = self._any(lambda n, t: t in _SHAPES and n not in self.fixed)
        if name is None:
            return self._let("float")
        if type == "float" and self.random.random() < 0.3:
            return f"{name} {self.random.choice('+-*')}= {self._of('float', 1)}"
        return f"{name} = {self._of(type, 2)}"

    def _part(self) -> list[str]:
        name, type = self._any(lambda n, t: t in _VECTORS or t in _MATRICES)
        if name is None:
            return [self._let("vec3")]
        if type in _MATRICES:
            columns = _MATRICES[type]
            value = self._of(f"vec{columns}", 1)
            return [f"{name}[{self.random.randrange(columns)}] = {value}"]
        if self.random.random() < 0.3:
            return [f"{name}[{self._int()} & 1] = {self._of('float', 1)}"]
        return [f"{name}.{self.random.choice(['yx', 'xy'])} = {self._of('vec2', 1)}"]

    def _for(self, depth: int, result: str | None) -> list[str]:
        name = f"i{self.names}"
        self.names += 1
        if self.random.random() < 0.4:
            head = [
                f"@unroll({self.random.randint(1, 5)})",
                f"for {name} = 0, {self._int()} & 7 do",
            ]
        else:
            head = [f"for {name} = 0, {self.random.randint(0, 6)} do"]
            if self.random.random() < 0.3:
                head = ["@unroll", *head]
        self.scopes.append({name: "int"})
        self.fixed.add(name)
        body = self._block(depth - 1, result)
        self.scopes.pop()
        return [*head, *body, "end"]

    def _array(self) -> list[str]:
        element = self.random.choice(["float", "vec2", "vec3"])
        values = ", ".join(self._of(element, 1) for _ in range(4))
        lines = [f"let t{self.names} = [4]{element} {{ {values} }}"]
        array = f"t{self.names}"
        self.names += 1
        for _ in range(self.random.randint(1, 3)):
            lines.append(f"{array}[{self._index()}] = {self._of(element, 1)}")
        value = f"{array}[{self._index()}] + {array}[{self._index()}]"
        return [*lines, f"let {self._name(element, 'a')} = {value}"]

    def _index(self) -> str:
        if self.random.random() < 0.5:
            return str(self.random.randrange(4))
        return f"{self._int()} & 3"

    # ------------------------------------------------------------ expressions

    def _any(self, wanted: object) -> tuple[str | None, str]:
        found = [(n, t) for s in self.scopes for n, t in s.items() if wanted(n, t)]  # type: ignore[operator]
        return self.random.choice(found) if found else (None, "")

    def _int(self) -> str:
        name, _ = self._any(lambda _, t: t == "int")
        if name is None or self.random.random() < 0.2:
            return f"int({self.random.randint(0, 9)})"
        if self.random.random() < 0.3:
            return f"({name} {self.random.choice(['+', '*', '~'])} {self.random.randint(1, 5)})"
        return name

    def _bool(self) -> str:
        kind = self.random.random()
        if kind < 0.2:
            return f"({self._bool()} {self.random.choice(['and', 'or'])} {self._bool()})"
        if kind < 0.3:
            return f"(not {self._bool()})"
        operator = self.random.choice(["<", ">", "<=", ">="])
        if self.steady or kind < 0.6:
            return f"(({self._int()} & 7) {operator} ({self._int()} & 7))"
        return f"({self._of('float', 1)} {operator} {self._of('float', 1)})"

    def _of(self, type: str, depth: int) -> str:
        name, _ = self._any(lambda _, t: t == type)
        if depth <= 0 or self.random.random() < 0.15:
            return name if name is not None and self.random.random() < 0.8 else self._constant(type)
        helper = [h for h in self.helpers if h[1] == type]
        if helper and self.random.random() < 0.25:
            called, _, params = self.random.choice(helper)
            given = (self._int() if p == "int" else self._of(p, depth - 1) for p in params)
            return f"{called}({', '.join(given)})"
        if type in _MATRICES:
            return self._matrix(type, depth)
        return self._vector(type, depth)

    def _constant(self, type: str) -> str:
        def number() -> str:
            return self.random.choice(["0.0", "1.0", "-1.0", "0.5", "2.0", "0.25", "3.0", "-0.0"])

        if type == "float":
            return number()
        size = _VECTORS.get(type) or _MATRICES[type] ** 2
        return f"{type}({', '.join(number() for _ in range(size))})"

    def _vector(self, type: str, depth: int) -> str:
        def of(wanted: str) -> str:
            return self._of(wanted, depth - 1)

        choice = self.random.random()
        if choice < 0.3:
            operator = self.random.choice(_SMOOTH_ONE if self.steady else _ONE)
            return f"(-({of(type)}))" if operator == "-" else f"{operator}({of(type)})"
        if choice < 0.4:
            return f"select({self._bool()}, {of(type)}, {of(type)})"
        if choice < 0.5 and type == "float":
            size = self.random.choice(list(_VECTORS))
            return self.random.choice([f"dot({of(size)}, {of(size)})", f"{of(size)}.y"])
        if choice < 0.5:
            return f"{type}({', '.join(of('float') for _ in range(_VECTORS[type]))})"
        if choice < 0.6 and f"mat{type[-1]}" in _MATRICES:
            matrix = f"mat{type[-1]}"
            pair = (of(matrix), of(type))
            return self.random.choice([f"({pair[0]} * {pair[1]})", f"({pair[1]} * {pair[0]})",
                                       f"{of(matrix)}[{self.random.randrange(2)}]"])  # fmt: skip
        if choice < 0.65:
            return f"mix({of(type)}, {of(type)}, {of('float')})"
        operator = self.random.choice(_SMOOTH_TWO if self.steady else _TWO)
        if operator in "+-*/":
            right = of(type) if self.random.random() < 0.7 else of("float")
            return f"({of(type)} {operator} {right})"
        return f"{operator}({of(type)}, {of(type)})"

    def _matrix(self, type: str, depth: int) -> str:
        a, b = self._of(type, depth - 1), self._of(type, depth - 1)
        column = f"vec{_MATRICES[type]}"
        columns = ", ".join(self._of(column, depth - 1) for _ in range(_MATRICES[type]))
        return self.random.choice([
            f"({a} * {b})", f"({a} + {b})", f"({a} - {b})", f"transpose({a})", f"{type}({columns})",
            f"({a} * {self._of('float', depth - 1)})",
        ])  # fmt: skip


_HEADER = """\
buffer storage data: []float
buffer storage out: []float
buffer storage counts: []int
shared tile: [4]vec4"""

_MAIN = f"""\
@entry(compute) @workgroup_size({INVOCATIONS})
function main(@builtin(local_invocation_index) index: uint)
  let at = int(index)
  let x = data[at * {READ}]
  let y = data[at * {READ} + 1]
  let u = vec3(data[at * {READ} + 2], data[at * {READ} + 3], data[at * {READ} + 4])
  let w = vec4(u.y, data[at * {READ} + 5], data[at * {READ} + 6], x)
  let n = counts[at * 2]
  let k = counts[at * 2 + 1]"""
