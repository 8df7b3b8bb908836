"""Every component-wise operator and builtin on scalars and vectors, from a table of expressions.

One shader computes all expressions of a group for one element a run; its rows say which operations
of the language's table they cover, so that a test can tell when one has no row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage, Values

COUNT = 32
TINY = 4e-7  # a few units in the last place of binary32

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One expression over ``a b c`` (any), ``p`` (positive) and ``u`` (-1..1), or of ints.

    ``vector`` is how it is spelled for vectors where that differs; ``covers`` names operations.
    """

    covers: str
    expression: str
    reference: Function
    rtol: float = TINY
    atol: float = TINY
    vector: str = ""


def _bool(expression: str) -> str:
    return f"select({expression}, ONE, ZERO)"


def _compare(name: str, operator: str, word: str, reference: Function) -> Row:
    return Row(
        f"{name} {word} select",
        _bool(f"a {operator} b"),
        lambda a, b, **_: reference(a, b),
        vector=_bool(f"{word}(a, b)"),
    )


_COMPARISONS = (
    _compare("eq", "==", "equal", np.equal),
    _compare("ne", "!=", "not_equal", np.not_equal),
    _compare("lt", "<", "less_than", np.less),
    _compare("le", "<=", "less_equal", np.less_equal),
    _compare("gt", ">", "greater_than", np.greater),
    _compare("ge", ">=", "greater_equal", np.greater_equal),
)


def _smooth(low: Any, high: Any, x: Any) -> Any:
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


FLOATS = (
    Row("add", "a + b", lambda a, b, **_: a + b),
    Row("sub", "a - b", lambda a, b, **_: a - b),
    Row("mul", "a * b", lambda a, b, **_: a * b),
    Row("div", "a / p", lambda a, p, **_: a / p),
    Row("neg", "-a", lambda a, **_: -a),
    Row("add mul", "2.0 * a + 1.0", lambda a, **_: 2 * a + 1),
    Row("sub div", "1.0 - 3.0 / p", lambda p, **_: 1 - 3 / p, atol=1e-5),
    Row("mod", "a % p", lambda a, p, **_: np.mod(a, p), atol=1e-5),
    Row("mod", "mod(a, b)", lambda a, b, **_: np.mod(a, b), atol=1e-5),
    Row("mod", "mod(a, -2.5)", lambda a, **_: np.mod(a, -2.5), atol=1e-5),
    *_COMPARISONS,
    Row("abs", "abs(a)", lambda a, **_: np.abs(a)),
    Row("sign", "sign(a)", lambda a, **_: np.sign(a)),
    Row("floor", "floor(a)", lambda a, **_: np.floor(a)),
    Row("ceil", "ceil(a)", lambda a, **_: np.ceil(a)),
    Row("trunc", "trunc(a)", lambda a, **_: np.trunc(a)),
    Row("round", "round(a)", lambda a, **_: np.round(a)),
    Row("fract", "fract(a)", lambda a, **_: a - np.floor(a)),
    Row("min", "min(a, b)", lambda a, b, **_: np.minimum(a, b)),
    Row("min", "min(a, 0.5)", lambda a, **_: np.minimum(a, 0.5)),
    Row("max", "max(a, b)", lambda a, b, **_: np.maximum(a, b)),
    Row("max", "max(a, 0.5)", lambda a, **_: np.maximum(a, 0.5)),
    Row("clamp", "clamp(a, u, p)", lambda a, u, p, **_: np.minimum(np.maximum(a, u), p)),
    Row("clamp", "clamp(a, -1.0, 2.0)", lambda a, **_: np.clip(a, -1, 2)),
    Row("saturate", "saturate(a)", lambda a, **_: np.clip(a, 0, 1)),
    Row("mix", "mix(a, b, u)", lambda a, b, u, **_: a * (1 - u) + b * u, atol=1e-5),
    Row("mix", "mix(a, b, 0.25)", lambda a, b, **_: a * 0.75 + b * 0.25, atol=1e-5),
    Row("step", "step(b, a)", lambda a, b, **_: (a >= b) * 1.0),
    Row("step", "step(0.5, a)", lambda a, **_: (a >= 0.5) * 1.0),
    Row("smoothstep", "smoothstep(u, p + 1.0, a)",
        lambda a, u, p, **_: _smooth(u, p + 1, a), atol=2e-6),
    Row("smoothstep", "smoothstep(-1.0, 2.0, a)", lambda a, **_: _smooth(-1, 2, a), atol=2e-6),
    Row("fma", "fma(a, b, c)", lambda a, b, c, **_: a * b + c, atol=1e-5),
    Row("select", "select(BOOL, a, b)", lambda a, b, c, **_: np.where(c > 0, a, b)),
    Row("sqrt", "sqrt(p)", lambda p, **_: np.sqrt(p)),
    Row("inversesqrt", "inversesqrt(p)", lambda p, **_: 1 / np.sqrt(p), rtol=1e-6),
    Row("pow", "pow(p, u)", lambda p, u, **_: p**u, rtol=2e-6),
    Row("pow", "pow(p, 2.0)", lambda p, **_: p**2, rtol=4e-6),
    Row("pow", "pow(p, 5.0)", lambda p, **_: p**5, rtol=1e-5),
    Row("pow", "pow(p, 0.5)", lambda p, **_: p**0.5, rtol=1e-6),
    Row("exp", "exp(u)", lambda u, **_: np.exp(u), rtol=1e-6),
    Row("exp2", "exp2(a)", lambda a, **_: np.exp2(a), rtol=1e-6),
    Row("log", "log(p)", lambda p, **_: np.log(p), atol=1e-6),
    Row("log2", "log2(p)", lambda p, **_: np.log2(p), atol=1e-6),
    Row("radians", "radians(a)", lambda a, **_: np.radians(a)),
    Row("degrees", "degrees(a)", lambda a, **_: np.degrees(a)),
    Row("sin", "sin(a)", lambda a, **_: np.sin(a), atol=1e-6),
    Row("cos", "cos(a)", lambda a, **_: np.cos(a), atol=1e-6),
    Row("tan", "tan(u)", lambda u, **_: np.tan(u), rtol=2e-6, atol=1e-6),
    Row("asin", "asin(u)", lambda u, **_: np.arcsin(u), atol=6e-4),  # this driver's polynomial
    Row("acos", "acos(u)", lambda u, **_: np.arccos(u), atol=6e-4),
    Row("atan", "atan(a)", lambda a, **_: np.arctan(a), atol=5e-6),
    Row("atan2", "atan2(a, b)", lambda a, b, **_: np.arctan2(a, b), atol=5e-6),
    Row("sinh", "sinh(u)", lambda u, **_: np.sinh(u), atol=2e-6),
    Row("cosh", "cosh(u)", lambda u, **_: np.cosh(u), atol=2e-6),
    Row("tanh", "tanh(a)", lambda a, **_: np.tanh(a), atol=2e-6),
    Row("isnan", _bool("isnan(a)"), lambda a, **_: np.zeros_like(a)),
    Row("isinf", _bool("isinf(a)"), lambda a, **_: np.zeros_like(a)),
)  # fmt: skip

#: Rows that binary16 can show: no long chains, no large results.
HALVES = tuple(
    row for row in FLOATS
    if row.covers in ("add", "sub", "mul", "neg", "add mul", "abs", "sign", "floor", "ceil", "min",
                      "max", "clamp", "saturate", "mix", "step", "sqrt", "select")
    or row in _COMPARISONS
)  # fmt: skip


def _shift(a: Any, b: Any) -> Any:
    """The count modulo 32, in the type of ``a``."""
    return (b.astype(np.int64) & 31).astype(a.dtype)


def _remainder(a: Any, b: Any) -> Any:
    return np.fmod(a, b)


def _quotient(a: Any, b: Any) -> Any:
    exact = a.astype(object) if a.ndim else a
    wide = np.abs(exact) // np.abs(b.astype(object))
    return np.where(np.sign(a) == np.sign(b), wide, -wide).astype(a.dtype)


def _bits(function: Callable[[int], int]) -> Function:
    return lambda a, **_: np.array([function(int(x) & 0xFFFFFFFF) for x in a], np.int64)


def _reversed(x: int) -> int:
    return int(f"{x:032b}"[::-1], 2)


def _signed_msb(a: Any, **_: Any) -> Any:
    return np.array([(~int(x) if x < 0 else int(x)).bit_length() - 1 for x in a])


_INTEGERS = (
    Row("add", "a + b", lambda a, b, **_: a + b),
    Row("sub", "a - b", lambda a, b, **_: a - b),
    Row("mul", "a * b", lambda a, b, **_: a * b),
    Row("div", "a / p", lambda a, p, **_: _quotient(a, p)),
    Row("rem", "a % p", lambda a, p, **_: _remainder(a, p)),
    Row("div", "a / 7", lambda a, **_: _quotient(a, np.full_like(a, 7))),
    Row("rem", "a % 8", lambda a, **_: _remainder(a, np.full_like(a, 8))),
    *_COMPARISONS,
    Row("bit_and", "a & b", lambda a, b, **_: a & b),
    Row("bit_or", "a | b", lambda a, b, **_: a | b),
    Row("bit_xor", "a ~ b", lambda a, b, **_: a ^ b),
    Row("bit_not", "~a", lambda a, **_: ~a),
    Row("bit_and bit_or bit_xor", "a & b | c ~ b & 12", lambda a, b, c, **_: a & b | (c ^ b & 12)),
    Row("shl", "a << b", lambda a, b, **_: a << _shift(a, b)),
    Row("shr", "a >> b", lambda a, b, **_: a >> _shift(a, b)),
    Row("shl", "a << 5", lambda a, **_: a << 5),
    Row("shr", "a >> 3", lambda a, **_: a >> 3),
    Row("min", "min(a, b)", lambda a, b, **_: np.minimum(a, b)),
    Row("max", "max(a, b)", lambda a, b, **_: np.maximum(a, b)),
    Row("min", "min(a, 3)", lambda a, **_: np.minimum(a, 3)),
    Row("clamp", "clamp(a, 2, 1000)", lambda a, **_: np.clip(a, 2, 1000)),
    Row("select", "select(BOOL, a, b)", lambda a, b, c, **_: np.where(c > 0, a, b)),
    Row("bit_count", "bit_count(a)", _bits(int.bit_count)),
    Row("reverse_bits", "reverse_bits(a)", _bits(_reversed)),
    Row("find_lsb", "TYPE(find_lsb(a))", _bits(lambda x: (x & -x).bit_length() - 1)),
)

SIGNED = (
    *_INTEGERS,
    Row("neg", "-a", lambda a, **_: -a),
    Row("abs", "abs(a)", lambda a, **_: np.abs(a)),
    Row("sign", "sign(a)", lambda a, **_: np.sign(a)),
    Row("clamp", "clamp(a, -9, 9)", lambda a, **_: np.clip(a, -9, 9)),
    Row("find_msb", "find_msb(a)", _signed_msb),
)

UNSIGNED = (
    *_INTEGERS,
    Row("find_msb", "TYPE(find_msb(a))", _bits(lambda x: x.bit_length() - 1)),
)


# ---------------------------------------------------------------- shaders


@dataclass(frozen=True, slots=True)
class Group:
    """A table run for one type: ``scalar`` is its component's name, ``dtype`` its memory."""

    scalar: str
    width: int
    rows: tuple[Row, ...]
    dtype: str

    @property
    def type(self) -> str:
        """The Luma type of an operand."""
        if self.width == 1:
            return self.scalar
        prefix = {"float": "", "int": "i", "uint": "u", "half": "h"}[self.scalar]
        return f"{prefix}vec{self.width}"

    @property
    def name(self) -> str:
        """The case's name."""
        return f"operators_{self.type}"

    @property
    def memory(self) -> str:
        """The scalar type that buffers hold."""
        return "float" if self.scalar == "half" else self.scalar


def _operand(group: Group, name: str, buffer: str) -> str:
    parts = ", ".join(f"{group.scalar}({buffer}[(i + {c}) % {COUNT}])" for c in range(group.width))
    return f"  let {name} = {group.type}({parts})"


def _expression(group: Group, row: Row) -> str:
    text = row.vector if row.vector and group.width > 1 else row.expression
    number = "1.0" if group.scalar in ("float", "half") else "1"
    holds = "greater_than(c, ZERO)" if group.width > 1 else "c > ZERO"
    for word, spelled in (
        ("BOOL", holds),
        ("ONE", f"{group.type}({number})"),
        ("ZERO", f"{group.type}({number.replace('1', '0')})"),
        ("TYPE", group.type),
    ):
        text = text.replace(word, spelled)
    return text


def make_source(group: Group) -> str:
    """The shader of a group: each run writes row by row, component by component."""
    total = len(group.rows) * group.width
    lines = [_operand(group, name, f"input_{name}") for name in "abcpu"]
    for k, row in enumerate(group.rows):
        lines.append(f"  let r{k} = {_expression(group, row)}")
        for c in range(group.width):
            part = f"r{k}.{'xyzw'[c]}" if group.width > 1 else f"r{k}"
            at = k * group.width + c
            lines.append(f"  out[i * {total} + {at}] = {group.memory}({part})")
    return "\n".join([
        *(f"buffer readonly input_{name}: []{group.memory}" for name in "abcpu"),
        f"buffer writeonly out: []{group.memory}",
        "",
        "@entry(compute)",
        f"@workgroup_size({COUNT})",
        "function main(@builtin(local_invocation_id) id: uvec3)",
        "  let i = int(id.x)",
        *lines,
        "end",
        "",
    ])  # fmt: skip


# ---------------------------------------------------------------- data


def _operands(group: Group) -> dict[str, Values]:
    rng = np.random.default_rng(len(group.rows))
    if group.scalar in ("float", "half"):
        return _float_operands(rng, group.scalar == "half")
    dtype = np.dtype(group.dtype)
    wide = np.iinfo(dtype)
    small = rng.integers(0 if wide.min == 0 else -99, 99, (3, COUNT)).astype(dtype)
    a, b, c = small
    a[:8] = [0, 1, wide.max, wide.min, wide.max // 3, 7, 8, 31]
    b[8:16] = [0, 1, wide.max, wide.min, 33, 40, 12, 5]
    a[16:24] = rng.integers(wide.min, wide.max, 8)
    a[24:28] = b[24:28]
    sign = np.where(rng.integers(0, 2, COUNT) == 1, 1, -1 if wide.min else 1)
    p = (rng.integers(2, 50, COUNT) * sign).astype(dtype)  # never 0, never -1
    return {"a": a, "b": b, "c": c, "p": p, "u": c}


def _float_operands(rng: np.random.Generator, half: bool) -> dict[str, Values]:
    a, b, c = rng.uniform(-7, 7, (3, COUNT))
    a[:10] = [0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, -3]
    b[:10] = [1.25, 1, 2, -0.75, 3, -2, 0.375, 7.5, -1.25, 0.7]
    a[10:12] = b[10:12]
    p, u = rng.uniform(0.05, 6, COUNT), rng.uniform(-0.999, 0.999, COUNT)
    u[:3] = [0, 1, -1]
    step = np.float16 if half else np.float32
    return {
        name: values.astype(step).astype(np.float32)
        for name, values in {"a": a, "b": b, "c": c, "p": p, "u": u}.items()
    }


def _reference(group: Group, row: Row, operands: Mapping[str, Values]) -> Values:
    floating = group.scalar in ("float", "half")
    given = {n: v.astype(np.float64) if floating else v for n, v in operands.items()}
    with np.errstate(all="ignore"):
        found = np.asarray(row.reference(**given))
    result: Values = found if floating else found.astype(np.int64).astype(np.dtype(group.dtype))
    return result


def _results(group: Group) -> tuple[Values, Values]:
    """(values, tolerances), both (COUNT, rows, width)."""
    operands = _operands(group)
    shape = (COUNT, len(group.rows), group.width)
    values, room = np.zeros(shape), np.zeros(shape)
    for k, row in enumerate(group.rows):
        one = _reference(group, row, operands).astype(np.float64)
        for c in range(group.width):
            values[:, k, c] = np.roll(one, -c)
        if group.scalar == "half":
            room[:, k] = 0.02 + 0.004 * np.abs(values[:, k])
        elif group.scalar == "float":
            room[:, k] = row.atol + row.rtol * np.abs(values[:, k])
    return values, room


def _case(group: Group) -> Case:
    def job() -> Dispatch:
        operands = _operands(group)
        resources = {(0, i): Storage(operands[n].tobytes()) for i, n in enumerate("abcpu")}
        size = 4 * COUNT * len(group.rows) * group.width
        return Dispatch("main", (1, 1, 1), {**resources, (0, 5): Storage(bytes(size))})

    def expected() -> Mapping[Key, Expected]:
        values, room = _results(group)
        return {(0, 5): Expected(values.astype(group.dtype), room=room)}

    return Case(group.name, make_source(group), job, expected)


def _groups() -> Iterator[Group]:
    for width in (1, 2, 3, 4):
        yield Group("float", width, FLOATS, "<f4")
    for width in (1, 3):
        yield Group("int", width, SIGNED, "<i4")
        yield Group("uint", width, UNSIGNED, "<u4")
    for width in (1, 2, 4):
        yield Group("half", width, HALVES, "<f4")


#: What the rows cover, for the test that asks whether anything is left out.
COVERED = " ".join(row.covers for row in (*FLOATS, *SIGNED, *UNSIGNED))
CASES = tuple(_case(group) for group in _groups())
