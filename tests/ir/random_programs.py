"""Random structured programs: each as Luma source, and as a reference that runs in Python.

A program is a tree of tuples, headed by a word.  It reads and writes every kind of place: plain
variables, vectors, structs and arrays as values, an array in memory, a buffer; ``bump`` makes the
order of effects visible.
"""

from __future__ import annotations

import random
from typing import Any

from luma.language.numbers import i32

Node = tuple[Any, ...]

HEADER = """\
struct Pair
  p: ivec2
  q: int
end
buffer storage state: [4]int
function bump(k: int) -> int
  state[0] = state[0] * 3 + k
  return state[0]
end
"""

MAIN = """\
@entry(compute) @workgroup_size(1)
function main()
  state[1] = f(state[2], state[3])
end
"""

_BINARY = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
           "&": lambda a, b: a & b, "|": lambda a, b: a | b, "~": lambda a, b: a ^ b}  # fmt: skip
_COMPARE = {"<": lambda a, b: a < b, ">=": lambda a, b: a >= b, "==": lambda a, b: a == b,
            "!=": lambda a, b: a != b}  # fmt: skip


class Generator:
    """Makes the body of one function, within a budget of statements."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._scalars = ["a", "b", "c", "d"]
        self._counters: list[str] = []
        self._budget = 40
        self._names = 0

    def body(self) -> list[Node]:
        """The statements of a function's body."""
        found: list[Node] = []
        while self._budget > 0:
            found += self._block(3)
        return found

    def _block(self, depth: int) -> list[Node]:
        return [self._statement(depth) for _ in range(self._random.randint(1, 4))]

    def _statement(self, depth: int) -> Node:
        self._budget -= 1
        kinds = ["assign"] * 5 + ["swizzle"] + ["compound"] * 2
        if depth > 0 and self._budget > 0:
            kinds += ["if", "if", "for", "while", "scope", "return"]
        match self._random.choice(kinds):
            case "assign":
                return ("assign", self._place(), self._int(2))
            case "swizzle":
                return (
                    "swizzle",
                    self._random.choice(["xz", "zy", "yx"]),
                    self._int(1),
                    self._int(1),
                )
            case "compound":
                return ("compound", self._place(), self._random.choice("+-*"), self._int(2))
            case "if":
                ways = [
                    (self._bool(2), self._block(depth - 1))
                    for _ in range(self._random.randint(1, 3))
                ]
                otherwise = self._block(depth - 1) if self._random.random() < 0.5 else None
                return ("if", ways, otherwise)
            case "for":
                return self._for(depth)
            case "while":
                return ("while", self._bool(2), self._random.randint(1, 5), self._block(depth - 1))
            case "scope":
                name = self._random.choice(self._scalars)
                return ("scope", name, self._int(2), self._block(depth - 1))
        return ("if", [(self._bool(1), [("return", self._int(1))])], None)

    def _for(self, depth: int) -> Node:
        self._names += 1
        name = f"i{self._names}"
        start = ("&", self._int(1), ("int", 7))
        stop = ("&", self._int(1), ("int", 7))
        step = self._random.choice([1, 1, 2, -1, 3])
        self._counters.append(name)
        body = self._block(depth - 1)
        self._counters.pop()
        return ("for", name, start, stop, step, self._random.randint(1, 6), body)

    def _place(self) -> Node:
        kind = self._random.randint(0, 8)
        if kind <= 3:
            return ("name", self._random.choice(self._scalars))
        if kind == 4:
            return ("element", "array", ("&", self._int(1), ("int", 3)))
        if kind == 5:
            return ("element", "fixed", ("int", self._random.randint(0, 2)))
        if kind == 6:
            return ("element", "v", ("int", self._random.randint(0, 2)))
        if kind == 7:
            return ("field", self._random.choice(["q", "p.x", "p.y"]))
        return ("element", "state", ("|", ("&", self._int(1), ("int", 1)), ("int", 2)))

    def _int(self, depth: int) -> Node:
        if depth == 0 or self._random.random() < 0.3:
            if self._counters and self._random.random() < 0.3:
                return ("name", self._random.choice(self._counters))
            return self._place_or_literal()
        if self._random.random() < 0.15:
            return ("bump", self._int(depth - 1))
        if self._random.random() < 0.1:
            name = ("name", self._random.choice(self._scalars))
            return ("select", self._bool(depth - 1), name, self._int(depth - 1))
        operator = self._random.choice(list(_BINARY))
        # A variable on the left: literals alone would be floats.
        left = ("name", self._random.choice(self._scalars)) if operator in "&|~" else None
        return (operator, left or self._int(depth - 1), self._int(depth - 1))

    def _place_or_literal(self) -> Node:
        if self._random.random() < 0.4:
            return ("int", self._random.randint(-9, 9))
        if self._random.random() < 0.6:
            return ("name", self._random.choice(self._scalars))
        return self._random.choice([
            ("element", "array", ("&", ("name", "a"), ("int", 3))),
            ("element", "fixed", ("int", 1)),
            ("element", "v", ("&", ("name", "b"), ("int", 1))),
            ("field", "p.y"),
            ("element", "state", ("int", 0)),
        ])  # fmt: skip

    def _bool(self, depth: int) -> Node:
        if depth > 0 and self._random.random() < 0.5:
            word = self._random.choice(["and", "or"])
            return (word, self._bool(depth - 1), self._bool(depth - 1))
        if depth > 0 and self._random.random() < 0.2:
            return ("not", self._bool(depth - 1))
        return (self._random.choice(list(_COMPARE)), self._int(depth), self._int(depth))


# ---------------------------------------------------------------- as source


def source(body: list[Node]) -> str:
    """The program as Luma."""
    lines = [
        "function f(a: int, b: int) -> int",
        "  let c: int = 1",
        "  let d: int = -2",
        "  let v = ivec3(a, 2, 3)",
        "  let array = [4]int { 1, b, 3, 4 }",
        "  let fixed = [3]int { 5, a, 7 }",
        "  let s = Pair { q = 8, p = ivec2(b, 9) }",
        *_lines(body, 1),
        "  return a ~ b * 3 ~ c * 5 ~ d * 7 ~ v.x * 11 ~ v.y * 13 ~ v.z * 17 ~ array[0] * 19"
        " ~ array[3] * 23 ~ fixed[1] * 29 ~ s.p.x * 31 ~ s.p.y * 37 ~ s.q * 41",
        "end",
    ]
    return HEADER + "\n".join(lines) + "\n" + MAIN


def _lines(body: list[Node], depth: int) -> list[str]:
    return ["  " * depth + line for node in body for line in _statement(node)]


def _statement(node: Node) -> list[str]:
    match node:
        case ("assign", place, value):
            return [f"{_text(place)} = {_text(value)}"]
        case ("swizzle", letters, first, second):
            return [f"v.{letters} = ivec2({_text(first)}, {_text(second)})"]
        case ("compound", place, operator, value):
            return [f"{_text(place)} {operator}= {_text(value)}"]
        case ("return", value):
            return [f"return {_text(value)}"]
        case ("if", ways, otherwise):
            lines: list[str] = []
            for at, (condition, body) in enumerate(ways):
                lines += [
                    f"{'if' if at == 0 else 'elseif'} {_text(condition)} then",
                    *_lines(body, 1),
                ]
            if otherwise is not None:
                lines += ["else", *_lines(otherwise, 1)]
            return [*lines, "end"]
        case ("for", name, start, stop, step, limit, body):
            head = f"for {name} = {_text(start)}, {_text(stop)}, {step} do"
            return [f"@unroll({limit})", head, *_lines(body, 1), "end"]
        case ("while", condition, limit, body):
            head = f"while {_text(condition)} do"
            return [f"@max_iterations({limit})", head, *_lines(body, 1), "end"]
        case ("scope", name, value, body):
            return ["do", f"  let {name}: int = {_text(value)}", *_lines(body, 1), "end"]
    raise AssertionError(node)


def _text(node: Node) -> str:
    match node:
        case ("int", value):
            return f"({value})" if value < 0 else str(value)
        case ("name", name):
            return str(name)
        case ("element", name, index):
            return f"{name}[{_text(index)}]"
        case ("field", path):
            return f"s.{path}"
        case ("bump", value):
            return f"bump({_text(value)})"
        case ("select", condition, a, b):
            return f"select({_text(condition)}, {_text(a)}, {_text(b)})"
        case ("not", value):
            return f"(not {_text(value)})"
        case (operator, left, right):
            return f"({_text(left)} {operator} {_text(right)})"
    raise AssertionError(node)


# ---------------------------------------------------------------- as a reference


class _Return(Exception):
    def __init__(self, value: int) -> None:
        self.value = value


class Reference:
    """Runs a program on a state of four ints."""

    def __init__(self, state: list[int]) -> None:
        self.state = state
        self._places: dict[str, Any] = {}

    def run(self, body: list[Node]) -> None:
        """What ``main`` does."""
        a, b = self.state[2], self.state[3]
        self._places = {
            "a": a,
            "b": b,
            "c": 1,
            "d": -2,
            "v": [a, 2, 3],
            "array": [1, b, 3, 4],
            "fixed": [5, a, 7],
            "state": self.state,
            "q": 8,
            "p.x": b,
            "p.y": 9,
        }
        try:
            self._body(body)
            result = self._result()
        except _Return as found:
            result = found.value
        self.state[1] = result

    def _result(self) -> int:
        p = self._places
        parts = [p["a"], p["b"] * 3, p["c"] * 5, p["d"] * 7]
        parts += [x * k for x, k in zip(p["v"], (11, 13, 17), strict=True)]
        parts += [p["array"][0] * 19, p["array"][3] * 23, p["fixed"][1] * 29]
        parts += [p["p.x"] * 31, p["p.y"] * 37, p["q"] * 41]
        result = 0
        for part in parts:
            result ^= i32(part)
        return i32(result)

    def _body(self, body: list[Node]) -> None:
        for node in body:
            self._statement(node)

    def _statement(self, node: Node) -> None:
        match node:
            case ("assign", place, value):
                where = self._locate(place)
                self._write(where, self._value(value))
            case ("swizzle", letters, first, second):
                values = (self._value(first), self._value(second))
                for letter, value in zip(letters, values, strict=True):
                    self._places["v"]["xyz".index(letter)] = value
            case ("compound", place, operator, value):
                where = self._locate(place)
                old = self._read(where)
                self._write(where, i32(_BINARY[operator](old, self._value(value))))
            case ("return", value):
                raise _Return(self._value(value))
            case ("if", ways, otherwise):
                for condition, body in ways:
                    if self._value(condition):
                        self._body(body)
                        return
                self._body(otherwise or [])
            case ("for", name, start, stop, step, limit, body):
                first, last = self._value(start), self._value(stop)
                for i in list(range(first, last, step))[:limit]:
                    self._places[name] = i
                    self._body(body)
            case ("while", condition, limit, body):
                count = 0
                while count < limit and self._value(condition):
                    self._body(body)
                    count += 1
            case ("scope", name, value, body):
                inner = self._value(value)
                outer = self._places[name]
                self._places[name] = inner
                self._body(body)
                self._places[name] = outer

    def _locate(self, place: Node) -> Node:
        if place[0] == "element":
            return (place[1], self._value(place[2]))
        return (place[1],)

    def _read(self, where: Node) -> int:
        found = self._places[where[0]]
        return int(found if len(where) == 1 else found[where[1]])

    def _write(self, where: Node, value: int) -> None:
        if len(where) == 1:
            self._places[where[0]] = value
        else:
            self._places[where[0]][where[1]] = value

    def _value(self, node: Node) -> int:
        match node:
            case ("int", value):
                return int(value)
            case ("name" | "element" | "field", *_):
                return self._read(self._locate(node))
            case ("bump", value):
                amount = self._value(value)  # before the state is read
                self.state[0] = i32(self.state[0] * 3 + amount)
                return self.state[0]
            case ("select", condition, a, b):
                holds, first, second = (self._value(n) for n in (condition, a, b))
                return first if holds else second
            case ("not", value):
                return not self._value(value)
            case ("and", left, right):
                return self._value(left) and self._value(right)
            case ("or", left, right):
                return self._value(left) or self._value(right)
            case (operator, left, right):
                a, b = self._value(left), self._value(right)
                if operator in _COMPARE:
                    return _COMPARE[operator](a, b)
                return i32(_BINARY[operator](a, b))
        raise AssertionError(node)
