"""Checking rules for truth: wrong rules of every kind are caught, with values that show it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from luma.language.builtins import OPERATIONS
from luma.language.evaluate import evaluate
from luma.language.types import BOOL, FLOAT, HALF, INT, Matrix, Type, Vector, is_float, scalar_of
from luma.optimizer.rulefiles import arrays
from luma.optimizer.rulefiles.check import check
from luma.optimizer.rulefiles.drawing import scalars
from luma.optimizer.rulefiles.machine import point
from luma.optimizer.rulefiles.read import known_by_us, read
from luma.optimizer.rulefiles.truth import Verdict, judge, told
from luma.optimizer.rulefiles.typings import TYPES, operand_types
from luma.optimizer.schema import CONSTRUCTORS


def _judge(left: str, right: str, ruleset: str = "exact", more: str = "") -> Verdict:
    text = f'; x\n(rewrite {left} {right} {more} :ruleset {ruleset} :name "mine")'
    file = read("my.egg", text, known_by_us())
    assert file.diagnostics == (), file.diagnostics[0].render()
    (rule,) = file.rules
    return judge(rule, 20_000)


PLANTED = {
    "integer": ("(Shr (I32) x (Int (I32) 1))", "(Div (I32) x (Int (I32) 2))", "exact", ""),
    "unsigned": ("(Sub (U32) x y)", "(Sub (U32) y x)", "exact", ""),
    "bool": ("(And t c d)", "(Or t c d)", "exact", ""),
    "least integer": ("(Abs t (Abs t (Neg t x)))", "(Neg t (Neg t x))", "exact", ""),
    "overflow": ("(Lt b t x (Add t x y))", "(Lt b t (Int t 0) y)", "exact", ":when ((integer t))"),
    "vector": ("(Swz2 u u v 1 0)", "v", "exact", ""),
    "float component": ("(Extract s u (Vec2 u a b) 0)", "b", "exact", ""),
    "no value": ("(Sub (I32) x x)", "(Sub (I32) (Div (I32) x x) (Int (I32) 1))", "exact", ""),
    "sign of zero": ("(Add t x k)", "x", "exact", ":when ((= (uniform k) 0.0))"),
    "nan": ("(Sub (F32) x x)", "(Lit (F32) 0.0)", "exact", ""),
    "infinity": ("(Mul t x k)", "k", "exact", ":when ((= (uniform k) 0.0))"),
    "nan in min": ("(Min t x y)", "(Min t y x)", "exact", ":when ((float t))"),
    "rounding": ("(Add t (Add t x y) z)", "(Add t x (Add t y z))", "exact", ":when ((float t))"),
    "half only": ("(Add (F16) (Add (F16) x y) z)", "(Add (F16) x (Add (F16) y z))", "exact", ""),
    "a wrong sign": ("(Sin t (Neg t x))", "(Sin t x)", "fast", ""),
    "a wrong branch": ("(Sqrt t (Mul t x x))", "x", "fast", ""),
    "nan instead": ("(LogE t (Mul t x y))", "(Add t (LogE t x) (LogE t y))", "fast", ""),
    "lost precision": (
        "(Neg (F32) x)",
        "(Sub (F32) (Sub (F32) (Lit (F32) 1.0e8) x) (Lit (F32) 1.0e8))", "fast", "",
    ),
    "matrices": ("(MatMat t t a b)", "(MatMat t t b a)", "fast", ""),
    "unmet condition": ("(Sqrt t (Mul t x x))", "x", "fast", ":when ((= v (uniform x)))"),
    "at a number it names": (
        "(Lt b (F32) x (Lit (F32) 123.456))", "(Le b (F32) x (Lit (F32) 123.456))", "exact", "",
    ),
    "there, among reals": ("(Eq b t x (Lit t 77.5))", "(Int b 0)", "fast", ""),
    "at a vector of it": (
        "(Eq b u v (Splat u (Lit (F32) 77.5)))", "(Splat b (Int (Bool) 0))", "exact", "",
    ),
    "freed division": ("(DivAt (I32) b x y)", "(Div (I32) x y)", "exact", ""),
    "freed conversion": ("(ConvertAt t u b x)", "(Convert t u x)", "exact", ":when ((integer t))"),
    "beyond the end": (
        "(Extract t (VecT t 4) v i)", "(Extract t (VecT t 2) (Swz2 (VecT t 2) (VecT t 4) v 0 1) i)",
        "exact", "",
    ),
    "no such literal": ("(Neg (F16) (Neg (F16) x))", "(Lit (F16) 0.1)", "exact", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", PLANTED)
def test_a_wrong_rule_is_caught(case: str) -> None:
    verdict = _judge(*PLANTED[case])
    assert verdict.counterexample is not None and verdict.summary == "wrong"
    assert "left" in told(verdict.counterexample)


TRUE = {
    "proved": ("(Mul t x (Add t y z))", "(Add t (Mul t x y) (Mul t x z))", "exact",
               ":when ((integer t))"),
    "moved": ("(Swz2 u u (Swz2 u u v 1 0) 1 0)", "v", "exact", ""),
    "exact": ("(Mul t (Neg t x) y)", "(Neg t (Mul t x y))", "exact", ":when ((float t))"),
    "fast": ("(Sub t (Mul t x x) (Mul t y y))", "(Mul t (Add t x y) (Sub t x y))", "fast", ""),
    "at numbers it names": (
        "(Gt b (F32) (Lit (F32) 123.456) x)", "(Lt b (F32) x (Lit (F32) 123.456))", "exact", "",
    ),
    "bound division": ("(DivAt (I32) b x y)", "(DivAt (I32) b x y)", "exact", ""),
    "division by what is positive": (
        "(DivAt (I32) b x y)", "(Div (I32) x y)", "exact", ":when ((> (least y) 0))",
    ),
    "constant": ("(Pow t x k)", "(Mul t (Mul t x x) x)", "fast", ":when ((= (uniform k) 3.0))"),
}  # fmt: skip


@pytest.mark.parametrize("case", TRUE)
def test_a_true_rule_is_not(case: str) -> None:
    verdict = _judge(*TRUE[case])
    assert verdict.counterexample is None and not verdict.open
    assert verdict.proved or verdict.points >= 20_000


def test_integers_are_proved_at_every_width() -> None:
    left, right, ruleset, more = TRUE["proved"]
    assert _judge(left, right, ruleset, more).proved == 8  # int and uint, scalars and vectors


def test_the_counterexample_is_told_in_the_shaders_words() -> None:
    verdict = _judge("(Add (F32) x (Lit (F32) 0.0))", "x")
    assert verdict.counterexample is not None
    assert told(verdict.counterexample) == "x = -0.0: left 0.0, right -0.0"


ILL_TYPED = {
    "literal of an integer": ("(Mul (I32) x (Int (I32) 1))", "(Mul (I32) x (Lit (I32) 1.0))"),
    "integer": ("(Neg (I32) x)", "(Add (I32) x (Int (I32) 2147483648))"),
    "unsigned": ("(BitNot (U32) x)", "(Add (U32) x (Int (U32) -1))"),
    "bool": ("(Or t x (Int t 1))", "(Int t 7)"),
    "half": ("(Neg (F16) x)", "(Mul (F16) x (Lit (F16) 1.0e6))"),
    "component": ("(Extract (F32) u v 0)", "(Extract (F32) u v 5)"),
    "swizzle": ("(Swz2 t u v 0 1)", "(Swz2 t u v 5 6)"),
    "parts": ("(Join3 t a b c (Join2 a d e x y) z w)", "(Join2 t a c z w)"),
    "swizzle of a scalar": ("(BitCount t (BitNot t x))", "(Swz2 t t x 1 1)"),
}


@pytest.mark.parametrize("case", ILL_TYPED)
def test_terms_that_no_type_has(case: str) -> None:
    left, right = ILL_TYPED[case]
    text = f'; x\n(rewrite {left} {right} :ruleset exact :name "mine")\n'
    (problem,) = (d for d in check([("my.egg", text)], 500).diagnostics if d.code[0] == "E")
    assert problem.code == "E0909" and problem.span is not None


@pytest.mark.parametrize(
    "rule",
    [
        "(rewrite (Extract t (VecT t 4) v i) (Extract t (VecT t 4) v (+ i 1)) :ruleset exact"
        ' :name "n")',
        '(rewrite (LoadU t p) (Lit t 1.0) :subsume :ruleset fast :name "n")',
        '(rule ((= e z) (= x (Min s z z))) ((unit x)) :ruleset fast :name "n")',
    ],
)
def test_what_cannot_be_computed_is_told(rule: str) -> None:
    report = check([("my.egg", "; x\n" + rule)], 500)
    assert {d.code for d in report.diagnostics} & {"W0982", "E0910"}


def test_rules_of_very_many_types_and_positions_are_judged_at_some() -> None:
    chain = "(Convert t s (Convert s u (Convert u v (Convert v w x))))"
    assert _judge(chain, "(Convert t w x)").counterexample is not None
    verdict = _judge(
        "(Swz4 t u (Swz4 u s v a b c d) i j k l)", "(Swz4 t u (Swz4 u s v b a c d) i j k l)"
    )
    assert verdict.counterexample is not None


def test_an_error_without_bound_is_none() -> None:
    text = '; x\n; error: inf\n(rewrite (Sin t x) (Cos t x) :ruleset fast :name "n")'
    (rule,) = read("my.egg", text, known_by_us()).rules
    assert judge(rule, 1_000).counterexample is not None


def test_an_admitted_error_is_allowed() -> None:
    rule = '(rewrite (Sin (F32) (Saturate (F32) x)) (Saturate (F32) x) :ruleset fast :name "n")'
    for comment, wrong in (("; sin x = x", True), ("; sin x = x\n; error: 0.2", False)):
        file = read("my.egg", f"{comment}\n{rule}", known_by_us())
        assert (judge(file.rules[0], 20_000).counterexample is not None) is wrong


def test_the_report_has_errors_and_warnings_at_their_places() -> None:
    text = (
        '(rewrite (Sin t x) (Cos t x) :ruleset fast :name "a")\n'
        '; types\n(rewrite (Dot s u x y) (Mul u x y) :ruleset fast :name "b")\n'
        '; no types\n(rewrite (Dot s u x (Lt s u x y)) x :subsume :ruleset fast :name "c")\n'
        '; calls\n(rewrite (Call t "f" x) x :subsume :ruleset fast :name "d")\n'
    )
    report = check([("my.egg", text)], 5_000)
    found = [(d.code, d.span and d.span.line_start) for d in report.diagnostics]
    assert found == [("W0980", 1), ("E0910", 1), ("E0909", 3), ("E0909", 5), ("W0982", 7)]
    assert [f.verdict for f in report.findings][:3] == ["wrong", "wrong", "wrong"]


# ---------------------------------------------------------------- NumPy and the table agree

#: Operations that NumPy may compute otherwise in the last bits.
NEARLY = frozenset(
    {"pow", "exp", "exp2", "log", "log2", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
     "sinh", "cosh", "tanh", "radians", "degrees"}
)  # fmt: skip


def _signatures() -> list[tuple[str, Type, tuple[Type, ...]]]:
    found = []
    for name, c in CONSTRUCTORS.items():
        row = OPERATIONS.get(c.op)
        if row is None or row.eval is None or name.endswith("At"):
            continue
        for t in TYPES:
            for stated in [(s,) for s in TYPES] if c.sorts.startswith("T") else [()]:
                kinds = operand_types(name, t, stated, c.sorts.count("E"))
                if kinds is not None:
                    found.append((c.op, t, kinds))
    return found


@pytest.mark.parametrize("op", sorted({op for op, _, _ in _signatures()}))
def test_arrays_compute_as_the_table_does(op: str) -> None:
    rng = np.random.default_rng(3)
    chosen = [s for s in _signatures() if s[0] == op]
    for _, t, kinds in random.Random(1).sample(chosen, min(6, len(chosen))):
        values = [_drawn(k, rng, op in NEARLY) for k in kinds]
        with np.errstate(all="ignore"):
            made = arrays.rounded(arrays.applied(op, t, kinds, values, ()), t)
        for at in range(300):
            args = [point(v, at) for v in values]
            try:
                wanted = evaluate(op, t, kinds, args)
            except ValueError:
                continue  # it has no value
            assert _agree(point(made, at), wanted, op in NEARLY), (op, t, args)


def _drawn(t: Type, rng: np.random.Generator, ordinary: bool) -> object:
    match t:
        case Vector(elem, size):
            return tuple(scalars(elem, ordinary, 300, rng) for _ in range(size))
        case Matrix(cols=cols):
            return tuple(_drawn(t.column, rng, True) for _ in range(cols))
    return scalars(scalar_of(t), ordinary, 300, rng)


def _agree(made: object, wanted: object, nearly: bool) -> bool:
    if isinstance(wanted, tuple):
        assert isinstance(made, tuple)
        return all(_agree(a, b, nearly) for a, b in zip(made, wanted, strict=True))
    if not isinstance(wanted, float):
        return made == wanted
    assert isinstance(made, float)
    if nearly or (np.isnan(made) and np.isnan(wanted)):
        return bool(np.isclose(made, wanted, rtol=2e-3, atol=1e-6, equal_nan=True))
    return made == wanted and np.signbit(made) == np.signbit(wanted)


def test_halves_and_floats_round_to_even_once() -> None:
    assert is_float(HALF) and is_float(FLOAT) and BOOL != INT
    doubles = np.array([1 + 2**-24, 1 + 3 * 2**-24, 65520.0, 2**-25, 1e-46])
    assert arrays.narrowed(doubles[:2], FLOAT).tolist() == [1.0, 1 + 2**-22]
    with np.errstate(all="ignore"):
        assert arrays.narrowed(doubles[2:], HALF).tolist() == [np.inf, 0.0, 0.0]
