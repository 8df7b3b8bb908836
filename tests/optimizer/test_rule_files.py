"""Reading rule files: what is wrong with one is said at its place, with help."""

from __future__ import annotations

import pytest

from luma.diagnostics import Diagnostic
from luma.optimizer.rulefiles.growth import dangers
from luma.optimizer.rulefiles.read import RuleFile, known_by_us, read
from luma.optimizer.rulefiles.render import render
from luma.optimizer.rulefiles.tree import Call, Literal


def _read(text: str) -> RuleFile:
    return read("my.egg", text, known_by_us())


def _rule(left: str, right: str, more: str = "") -> str:
    return f'; says something\n(rewrite {left} {right} {more} :ruleset exact :name "mine")\n'


def _problems(text: str) -> list[Diagnostic]:
    return list(_read(text).diagnostics)


WRONG = {
    "unclosed": ("(rewrite (Add t x y) x", "E0901", "not closed"),
    "closed twice": ("(ruleset mine))", "E0901", "nothing to close"),
    "string": ('(ruleset "mine)', "E0901", "string does not end"),
    "bare word": ("ruleset", "E0901", "a command is expected"),
    "depth": ("(" * 300, "E0901", "nested too deeply"),
    "shape": ("(rewrite (Add t x y))", "E0901", "(rewrite LEFT RIGHT ...)"),
    "option": (_rule("(Neg t x)", "x", ":when ((float t)) :prio 3"), "E0901", "no option"),
    "order": (
        '; x\n(rewrite :subsume (Neg t x) x :ruleset exact :name "n")', "E0901", "behind the",
    ),
    "term": (_rule("(Sinus t x)", "x"), "E0902", "there is no term, fact or function 'Sinus'"),
    "fact": (_rule("(Neg t x)", "x", ":when ((flaot t))"), "E0902", "'flaot'"),
    "python": (
        _rule("(Neg t x)", 'x', ':when ((= 1 (py-eval "1")))'), "E0902", "'py-eval'",
    ),
    "ruleset": (
        '; x\n(rewrite (Neg t x) x :ruleset exakt :name "n")', "E0902", "no ruleset 'exakt'",
    ),
    "arity": (_rule("(Add x y)", "x"), "E0903", "takes 3 arguments, not 2"),
    "bare type": (_rule("(Add F32 x y)", "x"), "E0903", "would be a variable"),
    "number": (_rule("(Add t x y)", "(Mul t x 2.0)"), "E0903", "an expression is expected"),
    "integer": (_rule("(Neg t x)", "(Lit t 2)"), "E0903", "a float is expected"),
    "left": (_rule("x", "(Neg t x)"), "E0903", "has to be a term"),
    "unbound": (_rule("(Add t x y)", "(Mul t x z)"), "E0904", "nothing gives 'z' a value"),
    "free": (
        _rule("(Add t x k)", "x", ":when ((= (uniform q) 0.0))"), "E0905", "match anything",
    ),
    "pairs": (
        "; x\n(rule ((= e (Add t a b)) (= f (Mul u c d))) ((union e f)) :ruleset fast"
        ' :name "n")', "E0905", "match anything",
    ),
    "no name": ("; x\n(rewrite (Neg t x) x :ruleset exact)", "E0906", "has no name"),
    "our name": (
        '; x\n(rewrite (Neg t x) x :ruleset exact :name "neg-neg")', "E0906", "of algebra.egg",
    ),
    "twice": (2 * _rule("(Neg t x)", "x"), "E0906", "of my.egg has the name 'mine' already"),
    "no ruleset": ('; x\n(rewrite (Neg t x) x :name "n")', "E0906", "in no ruleset"),
    "run": ("(run 10)", "E0907", "cannot have the command 'run'"),
    "infinite": ("(run-schedule (saturate (run exact)))", "E0907", "'run-schedule'"),
    "include": ('(include "/etc/passwd")', "E0907", "'include'"),
    "output": ('(output "file" (Neg t x))', "E0907", "'output'"),
    "constructor": ("(constructor Mine (Expr) Expr)", "E0907", "'constructor'"),
    "both ways": ('(birewrite (Neg t x) x :name "n")', "E0907", "'birewrite'"),
    "panic": (
        '; x\n(rule ((= e (Neg t x))) ((panic "no")) :ruleset exact :name "n")',
        "E0907", "a rule cannot do this",
    ),
    "two names": (
        '; x\n(rewrite (Neg t x) x :ruleset exact :name "n" :name "m")', "E0901",
        "'a second :name' is no option",
    ),
    "large integer": (_rule("(Add t x (Int t 9223372036854775808))", "x"), "E0903", "not a float"),
    "larger still": (_rule("(Add t x (Int t " + 5000 * "9" + "))", "x"), "E0903", "no number"),
    "large float": (_rule("(Neg t x)", "(Mul t x (Lit t 1e39))"), "E0903", "'1e39' is no number"),
    "NaN": (_rule("(Neg t x)", "(Mul t x (Lit t NaN))"), "E0903", "'NaN' is no number"),
    "infinity": (_rule("(Add t x -inf)", "x"), "E0903", "'-inf' is no number"),
    "truth": (_rule("(Select t b true x y)", "x"), "E0903", "(Int (Bool) 1)"),
    "underscored": (_rule("(Neg t x)", "(Mul t x (Int t 1_0))"), "E0904", "'1_0'"),
    "other digits": (_rule("(Neg t x)", "(Mul t x (Int t \u0661))"), "E0904", "'\u0661'"),
    "number and term": (_rule("(Neg t x)", "x", ":when ((= x 1.0))"), "E0903", "'=' cannot take"),
    "mixed sum": (_rule("(Neg t (Lit t k))", "(Lit t (+ k 1))"), "E0903", "a float and an integer"),
    "sum of integers": (_rule("(Neg t x)", "(Lit t (+ 1 2))"), "E0903", "a float is expected"),
    "computed on the left": (_rule("(Neg t (Lit t (neg k)))", "x"), "E0904", "'k' a value"),
    "asked for on the left": (_rule("(Neg t (Lit t (uniform x)))", "x"), "E0908", "'uniform'"),
    "asked for on the right": (_rule("(Neg t x)", "(Lit t (uniform x))"), "E0908", "'uniform'"),
    "asked for in a statement": (
        '; x\n(rule ((= e (Neg t x))) ((set (low e) (high x))) :ruleset facts :name "n")',
        "E0908", "'high'",
    ),
    "leaf": (_rule("(Neg t x)", "(Leaf t 3)"), "E0903", "the shader tells this number"),
    "block": (_rule("(DfdxAt t b x)", "(DfdxAt t 0 x)"), "E0903", "the shader tells this number"),
    "unfinished literal": (_rule("(Wrapped t n)", "(Int t n)"), "E0903", "only for right sides"),
    "call of nothing": (
        _rule("(Neg t x)", '(Call t "f" x)'), "E0904", "calls a function, the left side",
    ),
    "two unions": (
        '; x\n(rule ((= e (Neg t x))) ((union e x) (union e (Abs t x))) :ruleset exact :name "n")',
        "E0907", "a rule for each",
    ),
    "union of something else": (
        '; x\n(rule ((= e (Min t x (Max t x y)))) ((union x y)) :ruleset exact :name "n")',
        "E0907", "first term of its body",
    ),
    "fact of ours": ("(unit (Splat (VecT (F32) 3) (Lit (F32) 1.0)))", "E0907", "'unit'"),
    "value of ours": ("(set (uniform (Lit (F32) 1.0)) 2.0)", "E0907", "'uniform'"),
    "division": (
        _rule("(Neg t (Lit t a))", "(Lit t (/ 1.0 a))"), "E0908", "'/' may have no value",
    ),
    "product": (
        _rule("(Neg t (Int t a))", "(Int t (* a a))"), "E0908", "'*' may have no value",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong(case: str) -> None:
    text, code, words = WRONG[case]
    found = _problems(text)
    assert code in [d.code for d in found]
    problem = next(d for d in found if d.code == code)
    assert words in problem.message + str(problem.help)
    assert problem.span is not None and problem.span.file == "my.egg"


def test_the_place_and_the_nearest_name() -> None:
    (problem,) = _problems("; comment\n\n" + _rule("(Smothstep t a b x)", "x"))
    assert problem.render() == "\n".join(
        [
            "error[E0902]: there is no term, fact or function 'Smothstep'",
            " --> my.egg:4:11",
            "  |",
            '4 | (rewrite (Smothstep t a b x) x  :ruleset exact :name "mine")',
            "  |           ^^^^^^^^^",
            "help: did you mean 'Smoothstep'?",
        ]
    )


def test_every_problem_is_told_at_once() -> None:
    text = _rule("(Sinus t x)", "x") + "(run 3)\n" + _rule("(Neg t x)", "y").replace("mine", "b")
    assert [d.code for d in _problems(text)] == ["E0902", "E0907", "E0904"]


def test_a_rule_in_parts() -> None:
    file = _read(
        "(ruleset fast-mine)\n\n; two lines\n; of comment\n; error: 0.01\n"
        '(rewrite (Pow t x k) (Mul t x x) :when ((= (uniform k) 2.1)) :ruleset fast-mine :name "n")'
    )
    (rule,) = file.rules
    assert file.diagnostics == ()
    assert (rule.name, rule.ruleset, rule.fast, rule.line) == ("n", "fast-mine", True, 6)
    assert rule.summary == "two lines of comment" and rule.remark("error") == "0.01"
    assert isinstance(rule.left, Call) and rule.left.name == "Pow"
    (condition,) = rule.conditions
    assert condition.right == Literal(2.0999999046325684)  # the nearest float


def test_a_body_becomes_one_left_side() -> None:
    file = _read(
        "; x\n(rule ((= e (Add t a b)) (= a (Neg t c)) (= v (uniform b)) (!= v 0.0))"
        ' ((let m (Lit t 1.0)) (union e (Sub t m c))) :ruleset fast :name "n")'
    )
    (rule,) = file.rules
    assert file.diagnostics == ()
    assert rule.left == Call("Add", (*_vars("t"), Call("Neg", _vars("t", "c")), *_vars("b")))
    one = Call("Lit", (*_vars("t"), Literal(1.0)))
    assert rule.right == Call("Sub", (*_vars("t"), one, *_vars("c")))


def _vars(*names: str) -> tuple[Call, ...]:
    from luma.optimizer.rulefiles.tree import Var

    return tuple(Var(n) for n in names)  # type: ignore[misc]


def test_rendering_puts_rules_into_rulesets_of_their_own() -> None:
    file = _read(
        '(ruleset mine)\n(relation shiny (Expr))\n; x\n(rewrite (Call t "f" x 0.1)\n  x ; why\n'
        ' :ruleset mine :name "n")'.replace("0.1", "(Lit t 0.1)")
        + '\n; y\n(rewrite (Call t "f" x y z) (Call t "g" z) :ruleset fast :name "m")'
    )
    assert file.diagnostics == ()
    assert render(file).text.splitlines() == [
        "(relation shiny (Expr))",
        '(rewrite (Call2 t "f" _b0 x (Lit t 0.10000000149011612)) x :ruleset user-exact :name "n")',
        '(rewrite (Call3 t "f" _b0 x y z) (Call1 t "g" _b0 z) :ruleset user-fast :name "m")',
    ]
    assert render(file).functions == {"f"}


DANGERS = {
    "turns round": ("(Max t x y)", "(Max t y x)", "turns operands round"),
    "regroups": ("(Add t (Add t x y) z)", "(Add t x (Add t y z))", "regroups"),
    "regroups left": ("(Mul t x (Mul t y z))", "(Mul t (Mul t x y) z)", "regroups"),
    "feeds": ("(Sin t x)", "(Sin t (Add t x (Lit t 1.0)))", "matches its left side again"),
    "factors": ("(Add t (Mul t x y) (Mul t x z))", "(Mul t x (Add t y z))", "share 'x'"),
    "not hidden": ("(Mul t x (Lit t 0.0))", "(Lit t 0.0)", "stays to be matched"),
}


@pytest.mark.parametrize("case", DANGERS)
def test_what_may_grow(case: str) -> None:
    left, right, words = DANGERS[case]
    (rule,) = _read(_rule(left, right)).rules
    assert any(words in danger for danger, _ in dangers(rule))
    excused = _rule(left, right).replace("; says", "; bounded: it is\n; says")
    (rule,) = _read(excused).rules
    assert case == "not hidden" or list(dangers(rule)) == []


@pytest.mark.parametrize(
    ("left", "right", "more"),
    [
        ("(Add t (Add t x a) b)", "(Add t x (Add t a b))",
         ":when ((= u (uniform a)) (= v (uniform b)))"),
        ("(Sub t x y)", "(Add t x (Neg t y))", ""),
        ("(Mul t x (Lit t 0.0))", "(Lit t 0.0)", ":subsume"),
    ],
)  # fmt: skip
def test_what_does_not_grow(left: str, right: str, more: str) -> None:
    (rule,) = _read(_rule(left, right, more)).rules
    assert list(dangers(rule)) == []
