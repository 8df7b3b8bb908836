"""Rules of the user's in a compilation: used where good, given up where not, never harmful."""

from __future__ import annotations

import os

import pytest

import luma
from luma.ir.verify import verify
from luma.optimizer import apart
from luma.optimizer.apart import APART
from luma.optimizer.user import load
from luma.optimizer.user import optimize as optimize_with
from tests.optimizer.sources import expression, lowered, work

LEVELS = pytest.mark.parametrize("level", ["basic", "aggressive"])

SUM = " + ".join(f"v.x * {n}.5 * w.{'xyz'[n % 3]}" for n in range(30))
PRODUCT = " * ".join(["x", "y", "v.x", "v.y", "w.x", "w.y", "p.x", "p.y"] * 4)
BUSY = expression(f"let z = 0.0 let s = {SUM} + {PRODUCT} + x * z + sin(x) + sin(sin(y))"
                  " return Out { color = vec4(s, x, y, z) }")  # fmt: skip


def _compiled(source: str, level: str, *files: tuple[str, str], **options: object) -> luma.Result:
    texts = dict(files)
    return luma.compile(
        source, opt=level, target="spirv", rules=tuple(texts), file_reader=texts.get, **options
    )


def _given_up(result: luma.Result) -> list[str]:
    return [d.message for d in result.diagnostics if d.code == "W0983"]


def _rule(left: str, right: str, name: str = "mine", ruleset: str = "exact", more: str = "") -> str:
    return f'; x\n(rewrite {left} {right} {more} :ruleset {ruleset} :name "{name}")\n'


COMMUTES = _rule("(Add t x y)", "(Add t y x)", "c1") + _rule("(Mul t x y)", "(Mul t y x)", "c2")
GROUPS = _rule("(Add t (Add t x y) z)", "(Add t x (Add t y z))", "g1") + _rule(
    "(Mul t (Mul t x y) z)", "(Mul t x (Mul t y z))", "g2"
)
FACTORS = _rule("(Add t (Mul t x y) (Mul t x z))", "(Mul t x (Add t y z))", "f1") + _rule(
    "(Mul t x (Lit t 0.0))", "(Lit t 0.0)", "f2"
)
SPREADS = _rule("(Mul t x (Add t y z))", "(Add t (Mul t x y) (Mul t x z))", "f3")

#: Rules that make the graph explode, or try to.
EXPLOSIVE = {
    "commutes and groups": COMMUTES + GROUPS,
    "factors with zero": FACTORS,
    "everything": COMMUTES + GROUPS + FACTORS + SPREADS,
    "grows": _rule("(Sin t x)", "(Sin t (Add t x (Lit t 1.0)))"),
    "doubles": _rule("(Add t x y)", "(Add t (Add t y x) (Sub t (Add t x y) (Mul t x y)))"),
    "squares": _rule("(Mul t x y)", "(Mul t (Mul t x x) (Mul t y (Sub t y x)))"),
    "facts without end": (
        "(function depth (Expr) i64 :merge (max old new))\n"
        '; x\n(rule ((= e (Leaf t n))) ((set (depth e) 0)) :ruleset facts :name "d0")\n'
        '; x\n(rule ((= e (Sin t x)) (= d (depth x))) ((set (depth e) (+ d 1)) '
        '(union e x)) :ruleset facts :name "d1")\n'
    ),
}  # fmt: skip


@LEVELS
@pytest.mark.parametrize("case", EXPLOSIVE)
def test_explosive_rules_end(case: str, level: str) -> None:
    result = _compiled(BUSY, level, ("boom.egg", EXPLOSIVE[case]))
    assert result.success and result.module is not None and verify(result.module) == []
    for warning in result.diagnostics:
        assert warning.code == "W0983" and "boom.egg" in warning.message


def test_two_values_for_one_constant_are_given_up() -> None:
    text = _rule("(Sin t x)", "(Lit t 1.0)", "a") + _rule("(Sin t x)", "(Lit t 2.0)", "b")
    result = _compiled(BUSY, "basic", ("no.egg", text))
    (warning,) = result.diagnostics
    assert warning.code == "W0983" and "no.egg" in warning.message
    assert "contradict each other: 'uniform' got two values" in warning.message
    assert result.output == luma.compile(BUSY, target="spirv").output


@pytest.mark.parametrize(
    ("level", "fp", "told"),
    [
        ("none", None, False),
        ("basic", None, True),
        ("basic", "fast", False),
        ("aggressive", "strict", True),
        ("aggressive", None, False),
    ],
)
def test_fast_rules_under_strict_floating_point(level: str, fp: str | None, told: bool) -> None:
    """They are left out, and a warning says how to have them; exact rules need none."""
    slow = ("slow.egg", _rule("(Sin t x)", "(Cos t x)", ruleset="fast"))
    exact = ("exact.egg", _rule("(Neg t (Neg t x))", "x", "other"))
    result = _compiled(BUSY, level, slow, exact, fp=fp)
    found = [(d.code, d.message.split(":")[0]) for d in result.diagnostics]
    assert found == [("W0984", "the fast rules of slow.egg are not used")] * told


@LEVELS
@pytest.mark.parametrize(
    "right", ["(Dot t t x x)", "(Vec2 t x x)", "(MatVec t t x x)", "(Not t x)", "(Lit (F16) 1.0)"]
)
def test_an_ill_typed_result_is_given_up(right: str, level: str) -> None:
    result = _compiled(BUSY, level, ("ill.egg", _rule("(Sin t x)", right, more=":subsume")))
    assert result.success
    assert result.output == luma.compile(BUSY, target="spirv", opt=level).output or all(
        d.code == "W0983" for d in result.diagnostics
    )


def test_the_file_to_blame_is_named_and_the_others_are_used() -> None:
    good = _rule("(Sin t x)", "x", "sine")
    bad = _rule("(Mul t x y)", "(Lit t 1.0)", "a") + _rule("(Mul t x y)", "(Lit t 2.0)", "b")
    result = _compiled(BUSY, "basic", ("good.egg", good), ("bad.egg", bad))
    (warning,) = result.diagnostics
    assert "bad.egg" in warning.message and "good.egg" not in warning.message
    assert result.module is not None
    assert "sin" not in work(result.module.functions[-1])


def test_time_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "TIMEOUT", 0.001)
    APART.stop()
    result = _compiled(BUSY, "basic", ("slow.egg", COMMUTES))
    (warning,) = result.diagnostics
    assert warning.code == "W0983" and "seconds" in warning.message
    assert result.output == luma.compile(BUSY, target="spirv").output


def test_a_killed_process_is_started_again() -> None:
    rules = ("my.egg", _rule("(Sin t x)", "x"))
    wanted = _compiled(BUSY, "basic", rules).output
    process = APART._process
    assert process is not None
    process.kill()
    process.wait()
    assert _compiled(BUSY, "basic", rules).output == wanted
    assert APART._process is not process


def test_memory_is_bounded_where_the_system_can() -> None:
    import resource

    _compiled(BUSY, "basic", ("my.egg", COMMUTES))
    process = APART._process
    assert process is not None
    limit, _ = resource.prlimit(process.pid, resource.RLIMIT_AS)
    assert 0 < limit < 16 << 30


@pytest.mark.parametrize(
    ("text", "code"),
    [("(rewrite (Sin t x", "E0901"), ("(run 5)", "E0907"), (_rule("(Sine t x)", "x"), "E0902")],
)
def test_errors_in_a_rule_file_are_errors(text: str, code: str) -> None:
    result = _compiled(BUSY, "none", ("my.egg", text))
    assert not result.success
    assert [(d.code, d.span and d.span.file) for d in result.diagnostics] == [(code, "my.egg")]


def test_a_file_that_is_not_there_and_one_that_is_no_text() -> None:
    assert [d.code for d in luma.compile(BUSY, rules=("none.egg",)).diagnostics] == ["E0807"]
    found = luma.compile(BUSY, rules=("a",), file_reader={"a": b"\xff\xfe"}.get).diagnostics
    assert [d.code for d in found] == ["E0101"]


# ---------------------------------------------------------------- which rules run when


def test_fast_rules_do_not_run_under_strict() -> None:
    text = "(ruleset fast-mine)\n(ruleset mine)\n" + (
        _rule("(Sin t x)", "(Cos t x)", "a", "fast-mine", ":subsume")
        + _rule("(Sqrt t x)", "(Abs t x)", "b", "mine", ":subsume")
    )
    source = expression("return Out { color = vec4(sin(x), sqrt(y), 0.0, 1.0) }")
    strict = _compiled(source, "basic", ("my.egg", text)).module
    fast = _compiled(source, "basic", ("my.egg", text), fp="fast").module
    assert strict is not None and fast is not None
    assert "sqrt" not in work(strict.functions[-1]) and "sin" in work(strict.functions[-1])
    assert "abs" in work(fast.functions[-1])


def test_nothing_runs_at_none() -> None:
    rules = ("my.egg", _rule("(Sin t x)", "x"))
    plain = luma.compile(BUSY, target="spirv", opt="none")
    assert _compiled(BUSY, "none", rules).output == plain.output


def test_facts_of_the_users_own() -> None:
    text = (
        "(relation small (Expr))\n"
        '; a fraction is small\n(rule ((= e (Fract t x))) ((small e)) :ruleset facts :name "m1")\n'
        '; sin x = x of small x\n(rewrite (Sin t x) x :when ((small x)) :subsume :ruleset fast'
        ' :name "m2")\n'
    )  # fmt: skip
    source = expression("return Out { color = vec4(sin(fract(x)), sin(y), 0.0, 1.0) }")
    module = _compiled(source, "aggressive", ("my.egg", text)).module
    assert module is not None
    assert work(module.functions[-1]) == ["fract", "sin"]


@LEVELS
@pytest.mark.parametrize("fp", ["strict", "fast"])
def test_facts_of_ours_at_every_level(level: str, fp: str) -> None:
    text = _rule("(Reflect t n n)", "(Neg t n)", ruleset="fast", more=":when ((unit n))")
    text += _rule("(Sin t x)", "x", "small", more=":when ((= l (low x)) (> l 9.0))")
    source = expression("let n = normalize(v) return Out { color = vec4(reflect(n, n), sin(x)) }")
    result = _compiled(source, level, ("my.egg", text), fp=fp)
    assert result.success and _given_up(result) == [] and result.module is not None
    assert ("reflect" in work(result.module.functions[-1])) is (fp == "strict")


def test_the_same_output_whatever_the_hash_seed() -> None:
    import subprocess
    import sys

    program = (
        "import hashlib, sys, luma\n"
        "source, rules = sys.stdin.read().split('\\0')\n"
        "r = luma.compile(source, opt='aggressive', rules=('r',), file_reader={'r': rules}.get)\n"
        "print(hashlib.sha256(r.output).hexdigest(), len(r.diagnostics))\n"
    )
    rules = COMMUTES + GROUPS + _rule("(Sin t x)", "(Cos t x)")
    seen = {
        subprocess.run(
            [sys.executable, "-c", program], input=BUSY + "\0" + rules, text=True, check=True,
            capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "77")
    }  # fmt: skip
    assert len(seen) == 1


# ---------------------------------------------------------------- functions of the shader

FRESNEL = """
function fresnel(f0: float, c: float) -> float
  return f0 + (1.0 - f0) * pow(1.0 - c, 5.0)
end
function cheap(f0: float, c: float) -> float
  return f0 + c
end
function loud(f0: float) -> float
  if f0 > 1.0 then
    discard()
  end
  return f0
end
function twice(f0: float) -> float
  let sum = 0.0
  sum = sum + fresnel(f0, f0)
  return sum
end
"""


def _shader(body: str) -> str:
    return expression(f"return Out {{ color = vec4({body}, y, 0.0, 1.0) }}", FRESNEL)


NORMAL = _rule(
    '(Call t "fresnel" f c)', "f", more=":when ((= (uniform c) 1.0)) :subsume", ruleset="exact"
)


@LEVELS
def test_a_rule_about_a_function(level: str) -> None:
    source = _shader("fresnel(x, 1.0)")
    module = _compiled(source, level, ("my.egg", NORMAL)).module
    assert module is not None
    assert work(module.function("main")) == []
    assert [f.name for f in module.functions] == ["main"]


def test_it_holds_across_local_variables() -> None:
    source = expression(
        "let f = x let c = 0.5 c = c + 0.5 let r = fresnel(f, c)"
        " return Out { color = vec4(r, y, 0.0, 1.0) }",
        FRESNEL,
    )
    module = _compiled(source, "basic", ("my.egg", NORMAL)).module
    assert module is not None and work(module.function("main")) == []


@LEVELS
def test_a_call_becomes_a_cheaper_call(level: str) -> None:
    text = _rule('(Call t "fresnel" f c)', '(Call t "cheap" f c)', ruleset="fast")
    result = _compiled(_shader("fresnel(x, y)"), level, ("my.egg", text), fp="fast")
    assert result.success and _given_up(result) == [] and result.module is not None
    entry = result.module.functions[-1]
    assert work(entry) == ["add"] if level == "aggressive" else ["call"]
    assert "fresnel" not in [f.name for f in result.module.functions]


def test_a_function_never_comes_to_call_itself() -> None:
    text = _rule('(Call t "fresnel" f f)', '(Call t "twice" f)', ruleset="fast")
    result = _compiled(_shader("fresnel(x, x) + twice(y)"), "basic", ("my.egg", text), fp="fast")
    assert result.success and result.module is not None and verify(result.module) == []


@pytest.mark.parametrize(("name", "words"), [("none", "no function"), ("loud", "does more than")])
def test_a_function_that_cannot_stand_there(name: str, words: str) -> None:
    text = _rule('(Call t "fresnel" f c)', f'(Call t "{name}" f)', ruleset="fast")
    (problem,) = _compiled(_shader("fresnel(x, y)"), "basic", ("my.egg", text)).diagnostics
    assert problem.code == "E0911" and words in problem.message
    assert problem.span is not None and problem.span.file == "my.egg"


def test_a_call_of_other_parameters() -> None:
    text = _rule('(Call t "fresnel" f c)', '(Call t "cheap" f)', ruleset="fast")
    (problem,) = _compiled(_shader("fresnel(x, y)"), "basic", ("my.egg", text)).diagnostics
    assert problem.code == "E0911" and "has 2 parameters, not 1" in problem.message


@LEVELS
def test_a_call_of_other_types_is_given_up(level: str) -> None:
    text = _rule('(Call t "fresnel" f c)', '(Call t "flat" f)', ruleset="fast")
    flat = "function flat(v: vec3) -> float return v.x end"
    source = expression("return Out { color = vec4(fresnel(x, y), y, 0.0, 1.0) }", FRESNEL + flat)
    result = _compiled(source, level, ("my.egg", text), fp="fast")
    (warning,) = _given_up(result)
    assert result.success and "ill-typed" in warning


def test_a_library_of_rules_fits_shaders_without_the_functions() -> None:
    text = _rule('(Call t "other" f c)', '(Call t "none" f c)', ruleset="fast")
    result = _compiled(_shader("fresnel(x, y)"), "basic", ("my.egg", text))
    assert result.success and _given_up(result) == []


def test_what_has_effects_is_not_looked_into() -> None:
    text = _rule('(Call t "loud" f)', "f", more=":subsume")
    result = _compiled(_shader("loud(x)"), "basic", ("my.egg", text))
    assert result.module is not None
    assert "loud" in [f.name for f in result.module.functions]


@LEVELS
def test_values_stay_right(level: str) -> None:
    """What a true rule makes computes what was written."""
    module = lowered(_shader("fresnel(x, 1.0) + fresnel(0.25, y)"))
    rules, found = load((("my.egg", NORMAL + GROUPS),))
    assert found == ()
    outcome = optimize_with(module, level, "fast", rules)
    assert outcome.given_up == ()
    assert "call" not in work(outcome.module.function("main")) or level == "basic"
