"""What the checker proposes: each help leads to a source that is right, in the fewest words."""

from __future__ import annotations

import re

import pytest

from luma.diagnostics import Diagnostic, Level
from luma.frontend import elsewhere
from luma.frontend.wording import an, is_misspelling, nearest
from luma.language.builtins import FUNCTIONS
from luma.language.stages import ATTRIBUTES, BUILTIN_VALUE
from luma.language.types import NAMED_TYPES
from tests.frontend.checking import codes, in_function, run


def only(source: str) -> Diagnostic:
    """The one error of a source."""
    errors = [d for d in run(source)[1] if d.level is Level.ERROR]
    assert len(errors) == 1, "\n".join(d.render() for d in errors)
    return errors[0]


HELPS = [
    # numbers in unsigned places
    ("let q: uint = -1", "E0308", "`0xFFFFFFFF`"),
    ("let q: uint = -16", "E0308", "`0xFFFFFFF0`"),
    ("let q: uint = -1.5", "E0309", "write a whole number"),
    ("let q = n + -1", "E0308", "`0xFFFFFFFF`"),
    ("let q: uint = -n", "E0307", "`0 - n`"),
    ("let q: int = 0xFFFFFFFE", "E0308", "`-2`"),
    # bools and numbers
    ("let q: bool = 1", "E0306", "write `true`"),
    ("let q: bool = 0", "E0306", "write `false`"),
    ("let q: bool = i", "E0306", "write `bool(i)`"),
    ("let q: int = true", "E0306", "write `1`"),
    ("let q = b == 1", "E0307", "write `b == true`, or just `b`"),
    ("let q = b != 1", "E0307", "write `b != true`, or `not b`"),
    ("let q = 0 == b", "E0307", "write `b == false`, or `not b`"),
    ("let q = (i == j) != 0", "E0307", "write `i == j != false`, or just `i == j`"),
    ("let q = b and 1", "E0307", "write `true`"),
    ("if 1 then end", "E0510", "write `true`"),
    ("let q = select(0, x, y)", "E0311", "write `false`"),
    # vectors of another size
    ("let q: vec4 = v3", "E0306", "`w` is missing: write `vec4(v3, ...)`"),
    ("let q: vec4 = v2", "E0306", "`z` and `w` are missing: write `vec4(v2, ...)`"),
    ("let q: vec2 = iv3", "E0306", "write `vec2(iv3.xy)`"),
    ("let q: vec3 = i", "E0306", "write `vec3(i)`"),
    ("let q: float = iv3", "E0306", "write `float(iv3.x)`"),
    ("let q = vec3(v2)", "E0312", "`z` is missing: write `vec3(v2, ...)`"),
    ("let q = vec4(x, y)", "E0312", "write `vec4(x, y, ...)`"),
    # counts of arguments
    ("let q = atan(y, x)", "E0310", "write `atan2(y, x)`"),
    ("let q = max(x, y, 1.0)", "E0310", "write `max(max(x, y), 1.0)`"),
    # other languages
    ("let q = float3(1, 2, 3)", "E0303", "`vec3`"),
    ("let q: float4x4 = m4", "E0302", "`mat4`"),
    ("let q: Texture2D = 0", "E0302", "`texture2D`"),
    ("let q = gl_FragCoord.x", "E0301", "`@builtin(frag_coord) at: vec4`"),
    ("let q = textureSample(tex, v2)", "E0303", "`sample`"),
    ("let q = bitCount(i)", "E0303", "`bit_count`"),
    ("let q = Dot(v3, v3)", "E0303", "`dot`"),
    ("let q = math.pi", "E0301", "`const PI: float = 3.14159265`"),
    ("groupMemoryBarrier()", "E0303", "`workgroup_barrier`"),
    ("retrun(x)", "E0303", "did you mean `return`?"),
]


@pytest.mark.parametrize(("statements", "code", "help"), HELPS)
def test_help_in_a_function(statements: str, code: str, help: str) -> None:
    error = only(in_function(statements))
    assert error.code == code
    assert error.help is not None and help in error.help


_COMPUTE = "@entry(compute) @workgroup_size(1) function f"
MODULE_HELPS = [
    ("@unknown function f() end", "`@entry`, `@workgroup_size` and `@early_depth`"),
    ("@unit shared a: vec3", "a uniform, push constants or a readonly buffer"),
    ("@unit buffer a: []vec3", "a uniform, push constants or a readonly buffer"),
    ("struct S a: vec3 end @unit uniform a: S", "state it of the struct's fields"),
    (
        "function f(@unt a: vec3) end",
        "did you mean `@unit`? on a parameter of an ordinary function",
    ),
    (
        "function f(@location(0) a: vec3) end",
        "it belongs on a struct field, a parameter of an entry",
    ),
    ("@unit const A: vec3 = vec3(1)", "a parameter of an ordinary function or a uniform or buffer"),
    ("@entri(vertex) function f() end", "did you mean `@entry`? on a function may stand"),
    ("@numthreads(1) function f() end", "write `@workgroup_size(x, y, z)`"),
    ("@position function f() end", "write `@builtin(position)`"),
    (f"{_COMPUTE}(@builtin(global_invocation_id) id: uint) end", "`id: uvec3` and take `id.x`"),
    (f"{_COMPUTE}(@builtin(global_invocation_id) id: ivec2) end", "take `ivec2(id.xy)`"),
    ("@entry(vertex) function f(@builtin(vertex_id) id: uint) end", "`uint(id)`"),
    (
        "@entry(vertex) function f(p: vec3) -> (@builtin(position) position: vec4) "
        "return { position = p } end",
        "write `vec4(p, ...)`",
    ),
]


@pytest.mark.parametrize(("source", "help"), MODULE_HELPS)
def test_help_in_a_module(source: str, help: str) -> None:
    error = only(source)
    assert error.help is not None and help in error.help


def test_a_type_that_is_wrong_is_what_the_caret_is_under() -> None:
    error = only("@spec(1) const A: vec2 = vec2(1, 2)")
    assert error.span is not None
    assert (error.span.col_start, error.span.col_end) == (19, 23)


# ---------------------------------------------------------------- floats by default

_DEFAULTED = [
    "let q = a[k]",
    "let q: int = k",
    "let q = i + k",
    "let q = k * 2 + i",
    "i += k",
    "let q = i < k",
    "let q = i == k",
    "let q = n << k",
    "let q = max(i, k)",
    "let q = bit_count(k)",
    "let q = texel_fetch(tex, iv2, k)",
    "touch(k)",
    "atomic_add(signed[0], k)",
    "for t = 0, k do end",
    "let m = k + 1 let q = a[m]",
]


@pytest.mark.parametrize("use", _DEFAULTED)
def test_a_float_by_default_is_blamed_on_its_let(use: str) -> None:
    error = only(in_function(f"let k = 1\n{use}"))
    notes = [n for n in error.notes if "nothing says otherwise" in n.message]
    assert [n.span.line_start if n.span else None for n in notes] == [33]
    assert "write `let k: " in notes[0].message and notes[0].message.endswith(" = 1`")


@pytest.mark.parametrize(
    "use",
    ["let k = 1.0 let q = a[k]", "let k = x let q = a[k]", "let k = 1 let q = a[k + x]"],
)
def test_a_float_that_was_asked_for_is_not_blamed(use: str) -> None:
    assert only(in_function(use)).notes == ()


@pytest.mark.parametrize("use", _DEFAULTED)
def test_the_advice_on_a_float_by_default_works(use: str) -> None:
    kind = "uint" if "n <<" in use else "int"
    left = codes(in_function(f"let k: {kind} = 1\n{use}"))
    assert left in ([], ["E0511"])


# ---------------------------------------------------------------- the tables

_NAME = re.compile(r"is called `(\w+)`")


def test_what_the_tables_propose_exists() -> None:
    for table in (elsewhere.FUNCTIONS, elsewhere.TYPES):
        for help in table.values():
            for name in _NAME.findall(help):
                assert name in FUNCTIONS or name in NAMED_TYPES
    for ours in elsewhere.TYPE_NAMES.values():
        assert ours in NAMED_TYPES
    for help in elsewhere.ATTRIBUTES.values():
        for name in re.findall(r"@(\w+)", help):
            assert name in ATTRIBUTES
    for help in elsewhere.VARIABLES.values():
        for name, type in re.findall(r"@builtin\((\w+)\) \w+: (\w+)", help):
            assert str(BUILTIN_VALUE[name].type) == type


def test_the_tables_hold_no_name_of_the_language() -> None:
    assert not set(elsewhere.FUNCTIONS) & set(FUNCTIONS)
    assert not (set(elsewhere.TYPE_NAMES) | set(elsewhere.TYPES)) & set(NAMED_TYPES)
    assert not set(elsewhere.ATTRIBUTES) & set(ATTRIBUTES)


# ---------------------------------------------------------------- words


def test_articles() -> None:
    words = ("int", "ivec3", "uint", "uvec2", "vec3", "float", "hvec2", "half", "[4]int", "Item")
    assert [an(w).split()[0] for w in words] == (
        ["an", "an", "a", "a", "a", "a", "an", "a", "a", "an"]
    )


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ("let q = i.x", "an int has no components"),
        ("let q = iv3.w", "an ivec3 has no component"),
        ("let q = n.x", "a uint has no components"),
    ],
)
def test_messages_choose_the_article(statements: str, message: str) -> None:
    assert message in only(in_function(statements)).message


def test_misspellings() -> None:
    for word, keyword in (
        ("fucntion", "function"),
        ("Function", "function"),
        ("unifrom", "uniform"),
        ("fi", "if"),
        ("fro", "for"),
        ("edn", "end"),
        ("ends", "end"),
        ("whle", "while"),
    ):
        assert is_misspelling(word, keyword), word
    for word, keyword in (
        ("id", "if"),
        ("in", "if"),
        ("dot", "do"),
        ("far", "for"),
        ("set", "let"),
        ("fracture", "function"),
        ("cast", "const"),
        ("n", "end"),
    ):
        assert not is_misspelling(word, keyword), word


def test_the_nearest_name() -> None:
    assert nearest("outerProduct", ("dot", "outer_product")) == "outer_product"
    assert nearest("nrmalize", ("normalize", "length")) == "normalize"
    assert nearest("quux", ("normalize", "length")) is None
