"""Arithmetic where languages differ: signs, rounding, limits, precedence, conversions.

Each program is small; where it can it has every expression twice, of values known at run time only
and of constants, which are folded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.harness.cases import Case
from tests.harness.programs import Check, checks
from tests.harness.reference import f32

INT_MIN, INT_MAX = -(2**31), 2**31 - 1


def _float_modulo() -> Case:
    pairs = {"A": (5.5, 3.0), "B": (5.5, -3.0), "C": (-5.5, 3.0), "D": (-5.5, -3.0)}
    rows: list[Check] = []
    inputs: dict[str, tuple[str, Any]] = {"x": ("vec4", [p[0] for p in pairs.values()])}
    inputs["y"] = ("vec4", [p[1] for p in pairs.values()])
    floored = [math.fmod(a, b) + (b if math.fmod(a, b) * b < 0 else 0) for a, b in pairs.values()]
    rows += [("x % y", floored), ("mod(x, y)", floored)]
    rows += [("x.z % 3.0", 0.5), ("mod(x, 3.0)", [2.5, 2.5, 0.5, 0.5])]
    rows += [(f"({a} % {b})", r) for (a, b), r in zip(pairs.values(), floored, strict=True)]
    rows += [("-0.5 % 1.0", 0.5), ("mod(-0.5, 1.0)", 0.5), ("mod(0.5, -1.0)", -0.5)]
    return checks("float_modulo_signs", rows, inputs=inputs)


def _int_remainder() -> Case:
    def rem(a: int, b: int) -> int:
        return int(math.fmod(a, b))

    def quo(a: int, b: int) -> int:
        return int(a / b)

    pairs = [(-1, 768), (-4, 3), (7, -3), (-7, -3), (9, 4), (-8, 8), (INT_MIN, 3), (INT_MAX, -2)]
    rows: list[Check] = []
    for k in range(0, len(pairs), 4):
        name = "pq"[k // 4]
        part = pairs[k : k + 4]
        rows += [
            (f"{name} % d{name}", [rem(*p) for p in part]),
            (f"{name} / d{name}", [quo(*p) for p in part]),
        ]
    for a, b in pairs[:6]:
        rows += [(f"int({a}) % int({b})", rem(a, b)), (f"int({a}) / int({b})", quo(a, b))]
    inputs = {
        "p": ("ivec4", [a for a, _ in pairs[:4]]),
        "dp": ("ivec4", [b for _, b in pairs[:4]]),
        "q": ("ivec4", [a for a, _ in pairs[4:]]),
        "dq": ("ivec4", [b for _, b in pairs[4:]]),
    }
    return checks("int_remainder_signs", rows, inputs=inputs, dtype="<i4")


def _uint_arithmetic() -> Case:
    big, small = 4000000000, 7
    rows: list[Check] = [
        ("a / b", big // small), ("a % b", big % small), ("a + a", (2 * big) % 2**32),
        ("b - a", (small - big) % 2**32), ("a * b", (big * small) % 2**32), ("a >> 3", big >> 3),
        ("a << 5", (big << 5) % 2**32), ("~a", ~big % 2**32), ("a & 0xFF00", big & 0xFF00),
        ("a | b", big | small), ("a ~ b", big ^ small), ("max(a, b)", big), ("min(a, b)", small),
        ("uint(a > b)", 1), ("uint(int(a))", big), ("uint(4000000000) / 7", big // small),
        ("uint(float(a))", int(f32(big))), ("a / 3000000000", 1), ("a % 3000000000", 1000000000),
    ]  # fmt: skip
    inputs = {"a": ("uint", big), "b": ("uint", small)}
    return checks("uint_arithmetic_above_the_sign", rows, inputs=inputs, dtype="<u4")


def _wrapping() -> Case:
    def wrap(x: int) -> int:
        return (x + 2**31) % 2**32 - 2**31

    rows: list[Check] = [
        ("top + 1", INT_MIN), ("low - 1", INT_MAX), ("top * 3", wrap(INT_MAX * 3)),
        ("-low", INT_MIN), ("abs(low)", INT_MIN), ("top + top", -2), ("low + low", 0),
        ("(low + top) * top", wrap(-INT_MAX)), ("top - low", -1), ("(top + 1) / 2", INT_MIN // 2),
        ("(top * 2) / 2", -1), ("int(uint(low))", INT_MIN), ("low >> 31", -1), ("low << 1", 0),
    ]  # fmt: skip
    inputs = {"top": ("int", INT_MAX), "low": ("int", INT_MIN)}
    return checks("signed_overflow_wraps", rows, inputs=inputs, dtype="<i4")


def _least_int() -> Case:
    body = "  let k: int = -2147483648"
    rows: list[Check] = [
        ("k", INT_MIN), ("min(k, 1)", INT_MIN), ("max(k, one)", 1), ("k + one", INT_MIN + 1),
        ("one + -2147483648", INT_MIN + 1), ("int(k < one)", 1), ("k >> 30", -2), ("~k", INT_MAX),
        ("LEAST + 2147483647", -1), ("clamp(one, -2147483648, -5)", -5),
        ("-2147483647 - one", INT_MIN),
    ]  # fmt: skip
    declared = "const LEAST: int = -2147483648"
    inputs = {"one": ("int", 1)}
    return checks("least_int", rows, body=body, declared=declared, inputs=inputs, dtype="<i4")


def _shifts() -> Case:
    rows: list[Check] = [
        ("a << n", -5 << 3), ("a >> n", -5 >> 3), ("a << (n + 29)", -5), ("a << (n + 30)", -10),
        ("a >> 33", -5 >> 1), ("a << -31", -10), ("int(u >> 33)", 2147483646),
        ("int(u >> uint(n))", (2**32 - 4) >> 3), ("int(u << 31)", 0), ("1 << n << 2", 32),
        ("256 >> n >> 1", 16), ("int(7) << 32", 7), ("int(-9) >> 1", -5), ("1 << (n - 3)", 1),
    ]  # fmt: skip
    inputs = {"a": ("int", -5), "n": ("int", 3), "u": ("uint", 2**32 - 4)}
    return checks("shift_counts_modulo_32", rows, inputs=inputs, dtype="<i4")


def _bit_vectors() -> Case:
    a, b = np.array([0x0F0F, -2, 77], np.int64), np.array([0x00FF, 5, -1], np.int64)
    rows: list[Check] = [
        ("a & b", a & b), ("a | b", a | b), ("a ~ b", a ^ b), ("~a", ~a), ("a & 12", a & 12),
        ("a << ivec3(1, 2, 3)", a << np.array([1, 2, 3])), ("a >> 1", a >> 1),
        ("(a | b) & ~b", (a | b) & ~b), ("a & b | a ~ b", a & b | a ^ b), ("-a", -a),
        ("ivec3(bit_count(a))", [int(x % 2**32).bit_count() for x in a]),
    ]  # fmt: skip
    inputs = {"a": ("ivec3", a), "b": ("ivec3", b)}
    return checks("bit_operators_on_vectors", rows, inputs=inputs, dtype="<i4")


def _bit_queries() -> Case:
    words = [0, 1, 0x80000000, 0x00F00F00]
    rows: list[Check] = []
    for name, x in zip("pqrs", words, strict=True):
        signed = x - 2**32 if x >> 31 else x
        rows += [
            (f"int(bit_count({name}))", x.bit_count()),
            (f"find_lsb({name})", (x & -x).bit_length() - 1),
            (f"find_msb({name})", x.bit_length() - 1),
            (f"find_msb(int({name}))", (~signed if signed < 0 else signed).bit_length() - 1),
            (f"int(reverse_bits({name}) >> 1)", int(f"{x:032b}"[::-1], 2) >> 1),
            (f"find_lsb(uint({x}))", (x & -x).bit_length() - 1),
        ]
    inputs = {name: ("uint", x) for name, x in zip("pqrs", words, strict=True)}
    return checks("bit_queries_of_zero_and_the_sign", rows, inputs=inputs, dtype="<i4")


def _precedence() -> Case:
    a, b, c = 6, 3, 5
    rows: list[Check] = [
        ("(a << b) + c", 53), ("a << b + 1", 96), ("a + b << 1", 18), ("int(a & b == 2)", 1),
        ("a * b % c", 3), ("a % b * c", 0), ("a - b - c", -2), ("a - (b - c)", 8),
        ("a / b / 2", 1), ("a / (b / 2)", 6), ("a | b & c", 7), ("(a | b) & c", 5),
        ("a ~ b | c", 5), ("a ~ (b | c)", 1), ("~a + b", -4), ("~(a + b)", -10), ("-a * -b", 18),
        ("- -a", 6), ("-(-a) - -b", 9), ("a - -b", 9), ("a >> 1 << 2", 12), ("a >> (1 << 1)", 1),
        ("a & b << 1", 6), ("(a & b) << 1", 4), ("int((a & b) == 2)", 1),
        ("int((a < b) == false)", 1),
        ("int(a & b == 2 and a | c == 7)", 1), ("int(not (a == 6) or b == 3)", 1),
        ("int(a > b and b < c or a == 0)", 1), ("int(a == 0 and b < c or a == 6)", 1),
    ]  # fmt: skip
    inputs = {"a": ("int", a), "b": ("int", b), "c": ("int", c)}
    return checks("mixed_precedence", rows, inputs=inputs, dtype="<i4")


def _rounding() -> Case:
    xs = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 3.49, -7.51]
    rows: list[Check] = [
        ("round(a)", np.round(xs[:4])), ("round(b)", np.round(xs[4:])),
        ("floor(a)", np.floor(xs[:4])), ("ceil(b)", np.ceil(xs[4:])),
        ("trunc(a)", np.trunc(xs[:4])), ("trunc(b)", np.trunc(xs[4:])),
        ("fract(a)", np.array(xs[:4]) - np.floor(xs[:4])), ("sign(b)", np.sign(xs[4:])),
        ("float(int(b.w))", -7), ("float(int(a.y))", 1), ("vec2(ivec2(b.zw))", [3, -7]),
    ]  # fmt: skip
    rows += [(f"round({x})", np.round(x)) for x in xs]
    inputs = {"a": ("vec4", xs[:4]), "b": ("vec4", xs[4:])}
    return checks("rounding_of_ties", rows, inputs=inputs)


def _conversions() -> Case:
    rows: list[Check] = [
        ("float(i)", -3), ("float(u)", 4000000000.0), ("float(yes)", 1), ("float(not yes)", 0),
        ("float(int(f))", -2), ("float(uint(g))", 3), ("float(bool(i))", 1), ("float(bool(f))", 1),
        ("float(bool(zero))", 0), ("float(int(yes))", 1), ("float(uint(i) >> 31)", 1),
        ("float(int(u) < 0)", 1), ("vec2(ivec2(f, g))", [-2, 3]), ("vec3(uvec3(g, 2, yes))",
        [3, 2, 1]), ("vec2(bvec2(zero, f))", [0, 1]), ("vec4(ivec2(i, 4), vec2(f, 1))",
        [-3, 4, -2.75, 1]), ("float(half(g)) * 2.0", 7.0), ("vec2(hvec2(f, g))", [-2.75, 3.5]),
        ("float(int(half(f)))", -2), ("float(half(i))", -3),
    ]  # fmt: skip
    inputs = {
        "i": ("int", -3), "u": ("uint", 4000000000), "yes": ("bool", 1), "f": ("float", -2.75),
        "g": ("float", 3.5), "zero": ("float", 0.0),
    }  # fmt: skip
    return checks("conversions", rows, inputs=inputs)


def _splats() -> Case:
    rows: list[Check] = [
        ("vec3(s)", [2.5] * 3), ("vec2(s + 1.0)", [3.5] * 2), ("vec4(ivec4(1))", [1] * 4),
        ("vec4(uvec4(n))", [7] * 4), ("vec2(bvec2(true))", [1, 1]), ("vec3(bvec3(s > 9.0))",
        [0] * 3), ("vec3(hvec3(half(s)))", [2.5] * 3), ("vec2(hvec2(0.0))", [0, 0]),
        ("vec3(s) * s", [6.25] * 3), ("s - vec2(1.0, 2.0)", [1.5, 0.5]), ("vec2(3.0) / s",
        [1.2, 1.2]), ("vec3(s).xx", [2.5] * 2), ("(vec2(s, 1.0) + 1.0).yxyx", [2, 3.5, 2, 3.5]),
        ("max(vec3(1.0, 2.0, 3.0), s)", [2.5, 2.5, 3]), ("mix(vec2(0.0), vec2(s), 0.5)",
        [1.25] * 2), ("vec3(ivec3(n) * 2 + ivec3(1, 2, 3))", [15, 16, 17]),
    ]  # fmt: skip
    inputs = {"s": ("float", 2.5), "n": ("int", 7)}
    return checks("splat_constructors", rows, inputs=inputs, atol=1e-6)


def _constructors() -> Case:
    rows: list[Check] = [
        ("vec4(a, b, c)", [1, 2, 3, 4]), ("vec4(c, d)", [4, 5, 6, 7]), ("vec4(d, c)",
        [5, 6, 7, 4]), ("vec4(b, d.zx)", [2, 3, 7, 5]), ("vec3(a, b)", [1, 2, 3]),
        ("vec3(b, a)", [2, 3, 1]), ("vec2(d.y, c)", [6, 4]), ("vec4(vec3(b, c), a)",
        [2, 3, 4, 1]), ("vec4(vec2(a, c), vec2(c, a))", [1, 4, 4, 1]), ("vec3(d)", [5, 6, 7]),
        ("vec4(vec4(a, b, c).wzyx)", [4, 3, 2, 1]), ("vec3(0.5, ivec2(n, 2))", [0.5, 9, 2]),
    ]  # fmt: skip
    inputs = {
        "a": ("float", 1.0), "b": ("vec2", [2, 3]), "c": ("float", 4.0), "d": ("vec3", [5, 6, 7]),
        "n": ("int", 9),
    }  # fmt: skip
    return checks("vector_constructors", rows, inputs=inputs)


def _swizzles() -> Case:
    rows: list[Check] = [
        ("v.wzyx", [4, 3, 2, 1]), ("v.rgba", [1, 2, 3, 4]), ("v.bgr", [3, 2, 1]), ("v.ts",
        [2, 1]), ("v.pq", [3, 4]), ("v.xxx", [1, 1, 1]), ("v.zw.yx", [4, 3]), ("v.yzw.zx",
        [4, 2]), ("v.w", 4), ("v[2]", 3), ("v[k]", 2), ("v.zyx[k]", 2), ("(v * 2.0).yw",
        [4, 8]), ("written", [40, 2, 10, 30]), ("partly", [7, 1, 2, 4]), ("added", [6, 2, 8, 4]),
    ]  # fmt: skip
    body = """  let written = v
  written.zwx = vec3(10.0, 30.0, 40.0)
  let partly = v
  partly.xyz = vec3(7.0, v.x, v.y)
  let added = v
  added.xz += vec2(5.0)"""
    return checks(
        "swizzles", rows, body=body, inputs={"v": ("vec4", [1, 2, 3, 4]), "k": ("int", 1)}
    )


def _compound() -> Case:
    body = """  let a = f
  a += 2.0
  a *= 3.0
  a -= 1.0
  a /= 4.0
  a %= 3.0
  let n = k
  n += 5
  n *= n - 1
  n /= 7
  n %= 100
  let v = vec3(1.0, 2.0, 3.0)
  v *= f
  v.y /= 2.0
  v[k] += 10.0
  v -= v.zxy
  let m = mat2(1.0, 2.0, 3.0, 4.0)
  m *= mat2(0.0, 1.0, 1.0, 0.0)
  m[1] += vec2(f)
  m *= 2.0"""
    a = math.fmod(((1.5 + 2) * 3 - 1) / 4, 3)
    v = np.array([1.5, 1.5, 14.5])
    rows: list[Check] = [
        ("a", a), ("float(n)", 6), ("v", v - v[[2, 0, 1]]), ("m[0]", [6, 8]), ("m[1]", [5, 7]),
    ]  # fmt: skip
    inputs = {"f": ("float", 1.5), "k": ("int", 2)}
    return checks("compound_assignment", rows, body=body, inputs=inputs)


def _comparisons() -> Case:
    rows: list[Check] = [
        ("float(a == a)", 1), ("float(a == b)", 0), ("float(a != b)", 1), ("float(a != a)", 0),
        ("float(a.xy == b.xy)", 1), ("float(n == ivec2(3, 4))", 1), ("float(n != ivec2(4, 3))", 1),
        ("vec3(less_than(a, b))", [0, 0, 1]), ("vec3(less_equal(a, b))", [1, 1, 1]),
        ("vec3(greater_than(b, a))", [0, 0, 1]), ("vec3(greater_equal(a, b))", [1, 1, 0]),
        ("vec3(equal(a, b))", [1, 1, 0]), ("vec3(not_equal(a, b))", [0, 0, 1]),
        ("vec2(less_than(n, ivec2(4)))", [1, 0]), ("float(any(less_than(a, b)))", 1),
        ("float(all(less_than(a, b)))", 0), ("float(none(greater_than(a, b)))", 1),
        ("vec2(not_equal(bvec2(true, false), bvec2(false)))", [1, 0]),
        ("float(bvec2(true, false) == bvec2(true, false))", 1), ("float(true != (a.x > 9.0))", 1),
    ]  # fmt: skip
    inputs = {"a": ("vec3", [1, 2, 3]), "b": ("vec3", [1, 2, 5]), "n": ("ivec2", [3, 4])}
    return checks("vector_comparisons", rows, inputs=inputs)


def _selects() -> Case:
    rows: list[Check] = [
        ("select(yes, 1.0, 2.0)", 1), ("select(not yes, 1.0, 2.0)", 2), ("select(yes, a, b)",
        [1, 2, 3]), ("select(not yes, a, b)", [4, 5, 6]), ("select(mask, a, b)", [1, 5, 3]),
        ("select(less_than(a, vec3(2.5)), a * 10.0, b)", [10, 20, 6]), ("mix(a, b, 0.25)",
        [1.75, 2.75, 3.75]), ("mix(a, b, vec3(0.0, 1.0, 0.5))", [1, 5, 4.5]),
        ("vec2(select(yes, ivec2(7, 8), ivec2(9)))", [7, 8]), ("float(select(yes, mask.y, true))",
        0), ("vec3(select(mask, bvec3(false), bvec3(true)))", [0, 1, 0]),
        ("step(2.0, a)", [0, 1, 1]), ("step(b, a + 3.0)", [1, 1, 1]), ("clamp(a, 1.5, 2.5)",
        [1.5, 2, 2.5]), ("smoothstep(0.0, 4.0, a)", [0.15625, 0.5, 0.84375]),
    ]  # fmt: skip
    inputs = {
        "yes": ("bool", 1), "mask": ("bvec3", [1, 0, 1]), "a": ("vec3", [1, 2, 3]),
        "b": ("vec3", [4, 5, 6]),
    }  # fmt: skip
    return checks("select_and_mix", rows, inputs=inputs, atol=1e-6)


def _large_floats() -> Case:
    top = float(np.finfo(f32).max)
    tiny = float(np.finfo(f32).tiny)
    rows: list[Check] = [
        ("3.4028234663852886e38 * one", top), ("-3.4028234663852886e38 * one", -top),
        ("1.17549435e-38 * one", tiny), ("16777217.0 * one", 16777216), ("0.1 * one", f32(0.1)),
        ("1e-3 * one", f32(1e-3)), ("123456789.0 * one", f32(123456789)), (".5 + one", 1.5),
        ("1. + one", 2), ("2.5e+3 * one", 2500), ("float(0x1F) * one", 31), ("1e10 * one",
        f32(1e10)), ("TOP - top_half * 2.0", 0.0), ("0.3 * one", f32(0.3)), ("one / 3.0",
        f32(1) / f32(3)), ("1.0 / 3.0 * one", f32(1) / f32(3)),
    ]  # fmt: skip
    inputs = {"one": ("float", 1.0), "top_half": ("float", top / 2)}
    return checks(
        "literals_to_the_last_bit", rows, inputs=inputs,
        declared="const TOP: float = 3.4028234663852886e38", fp="strict", rtol=1e-7,
    )  # fmt: skip


def _domains() -> Case:
    body = "  let zero = 0.0\n  let minus = -1.0"
    rows: list[Check] = [
        ("float(isinf(1.0 / zero))", 1), ("float(isinf(one / none_))", 1),
        ("float(isnan(zero / zero))", 1), ("float(isnan(none_ / none_))", 1),
        ("float(isinf(log(zero)))", 1), ("float(isnan(sqrt(minus)))", 1),
        ("float(isnan(sqrt(-one)))", 1),
        ("float(isinf(3e38 * (one * 10.0)))", 1), ("float(isnan(one))", 0),
        ("float(isinf(one - 1.0))", 0), ("vec2(isinf(vec2(1.0, one) / vec2(zero, 2.0)))", [1, 0]),
    ]  # fmt: skip
    inputs = {"one": ("float", 1.0), "none_": ("float", 0.0)}
    return checks("outside_of_domains", rows, body=body, inputs=inputs, fp="strict")


def _folded_functions() -> Case:
    names = {
        "sin": math.sin, "cos": math.cos, "exp": math.exp, "log": math.log, "sqrt": math.sqrt,
        "exp2": lambda x: 2**x, "log2": math.log2, "tanh": math.tanh, "radians": math.radians,
        "degrees": math.degrees, "inversesqrt": lambda x: 1 / math.sqrt(x), "atan": math.atan,
        "sinh": math.sinh, "cosh": math.cosh, "tan": math.tan,
    }  # fmt: skip
    rows: list[Check] = []
    for name, function in names.items():
        rows += [(f"{name}(x)", function(0.75)), (f"{name}(0.75)", function(0.75))]
    rows += [("pow(x, 3.0)", 0.421875), ("pow(0.75, 3.0)", 0.421875), ("pow(x, x)", 0.75**0.75)]
    rows += [("atan2(x, -0.5)", math.atan2(0.75, -0.5)), ("atan2(-0.75, -x)", math.atan2(-1, -1))]
    inputs = {"x": ("float", 0.75)}
    return checks("functions_of_constants", rows, inputs=inputs, rtol=2e-6, atol=2e-6)


def _contraction() -> Case:
    a = f32(1 + 2**-12)
    square = a * a
    rows: list[Check] = [
        ("a * a - b", square - square), ("a * a - c", square - f32(1)), ("b - a * a", 0),
        ("fma(a, 1.0, 1.0)", a + f32(1)), ("(a - 1.0) * 4096.0", 1),
    ]  # fmt: skip
    inputs = {"a": ("float", a), "b": ("float", square), "c": ("float", 1)}
    return checks("products_round_before_sums", rows, inputs=inputs, fp="strict")


def _clamps() -> Case:
    rows: list[Check] = [
        ("min(i, -2)", -7), ("max(i, -2)", -2), ("clamp(i, -5, 5)", -5), ("abs(i)", 7),
        ("sign(i)", -1), ("sign(i + 7)", 0), ("sign(-i)", 1), ("min(ivec2(i, 3), ivec2(0))",
        [-7, 0]), ("max(ivec2(i, 3), 0)", [0, 3]), ("clamp(ivec3(i, 0, 9), -1, 4)", [-1, 0, 4]),
        ("abs(ivec2(i, 4))", [7, 4]), ("int(min(u, 3))", 3), ("int(max(u, 200))", 200),
        ("int(clamp(u, 10, 100))", 100), ("int(abs(-2.5))", 2), ("int(sign(-0.0))", 0),
    ]  # fmt: skip
    inputs = {"i": ("int", -7), "u": ("uint", 150)}
    return checks("limits_of_integers", rows, inputs=inputs, dtype="<i4")


def _halves() -> Case:
    x, y = np.float16(1.0996), np.float16(-3.3)
    rows: list[Check] = [
        ("float(x + y)", float(x + y)), ("float(x * y)", float(x * y)),
        ("float(-y)", float(-y)), ("float(min(x, y))", float(y)), ("float(x) + float(y)",
        float(f32(x) + f32(y))), ("vec3(hvec3(x, y, half(2.0)) * x)",
        [float(x * x), float(y * x), float(np.float16(2) * x)]), ("float(select(x > y, x, y))",
        float(x)), ("float(half(2049.0))", 2048), ("float(half(h_one * 2051.0))", 2052),
        ("float(half(0.1))", float(np.float16(0.1))), ("float(abs(y))", float(-y)),
        ("float(dot(hvec2(x, 2.0), hvec2(0.5, 4.0)))", float(np.float16(x / 2 + 8))),
    ]  # fmt: skip
    body = "  let x = half(fx)\n  let y = half(fy)"
    inputs = {"fx": ("float", 1.0996), "fy": ("float", -3.3), "h_one": ("float", 1.0)}
    return checks("half_arithmetic", rows, body=body, inputs=inputs, atol=4e-3, rtol=1e-3)


def _geometry() -> Case:
    a, b = np.array([3.0, 4.0]), np.array([0.0, 12.0, 5.0])
    rows: list[Check] = [
        ("length(a)", 5), ("length(b)", 13), ("distance(a, vec2(0.0))", 5), ("dot(a, a)", 25),
        ("normalize(a)", a / 5), ("normalize(b)", b / 13), ("cross(b, vec3(1.0, 0.0, 0.0))",
        np.cross(b, [1, 0, 0])), ("reflect(a, vec2(0.0, 1.0))", [3, -4]),
        ("faceforward(b, b, b)", -b), ("refract(vec2(0.0, -1.0), vec2(0.0, 1.0), 0.5)", [0, -1]),
        ("length(vec3(3.0, 4.0, 0.0))", 5), ("dot(vec2(1.0, 2.0), vec2(3.0, 4.0))", 11),
        ("cross(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0))", [0, 0, 1]),
        ("normalize(vec2(0.0, -2.0))", [0, -1]), ("length(vec4(1.0))", 2),
    ]  # fmt: skip
    return checks(
        "geometry_of_constants", rows, inputs={"a": ("vec2", a), "b": ("vec3", b)}, atol=1e-6
    )


def _constants() -> Case:
    declared = """
const N: int = 2 + 3 * 4
const MASK: uint = (1 << 5) - 1
const SCALE: float = 2.0 / 8.0
const AXIS: vec3 = vec3(1.0, -2.0, 0.5) * 2.0
const TURN: mat2 = mat2(0.0, 1.0, -1.0, 0.0)
const TABLE: [4]int = [4]int { 1, N, N * N, -1 }
const ODD: bool = N % 2 == 1
const LONGEST: float = max(SCALE, AXIS.x)
"""
    rows: list[Check] = [
        ("float(N)", 14), ("float(MASK)", 31), ("SCALE", 0.25), ("AXIS", [2, -4, 1]),
        ("TURN * vec2(3.0, 4.0)", [-4, 3]), ("float(TABLE[2])", 196), ("float(TABLE[k])", 14),
        ("float(ODD)", 0), ("LONGEST", 2), ("AXIS.zx", [1, 2]), ("TURN[k]", [-1, 0]),
        ("AXIS[k]", -4), ("float(TABLE[k + 2] + TABLE[0])", 0),
    ]  # fmt: skip
    return checks("module_constants", rows, declared=declared, inputs={"k": ("int", 1)})


def _algebra() -> Case:
    """What an optimizer may be tempted to do with numbers that do not suit it."""
    rows: list[Check] = [
        ("x * 0.0 + y", -3), ("x - x + y", -3), ("(x / y) * y", 2),
        ("y / y", 1), ("sqrt(y * y)", 3), ("-(x - y)", -5), ("x + y + x + y", -2),
        ("x * y + x * z", 2 * -3 + 2 * 0.5), ("pow(x, 2.0)", 4), ("1.0 / (1.0 / x)", 2),
        ("abs(-y) + abs(y)", 6), ("max(x, max(y, x))", 2), ("x * 1.0 + 0.0", 2), ("0.0 - y", 3),
        ("(x * 2.0) * 0.5", 2), ("floor(floor(z))", 0), ("min(max(z, 0.0), 1.0)", 0.5),
        ("mix(x, y, 0.0)", 2), ("mix(x, y, 1.0)", -3), ("dot(vec2(x, y), vec2(y, x))", -12),
    ]  # fmt: skip
    inputs = {"x": ("float", 2), "y": ("float", -3), "z": ("float", 0.5)}
    return checks("algebra", rows, inputs=inputs, atol=2e-6)


def _cases() -> Iterator[Case]:
    for make in (
        _float_modulo, _int_remainder, _uint_arithmetic, _wrapping, _least_int, _shifts,
        _bit_vectors, _bit_queries, _precedence, _rounding, _conversions, _splats, _constructors,
        _swizzles, _compound, _comparisons, _selects, _large_floats, _domains, _folded_functions,
        _contraction, _clamps, _halves, _geometry, _constants, _algebra,
    ):  # fmt: skip
        yield make()


CASES = tuple(_cases())
