"""Tokens: their kinds, their places, and the errors of what is none."""

from __future__ import annotations

import pytest

from luma.diagnostics import Reporter
from luma.frontend.lexer import (
    BAD,
    EOF,
    KEYWORDS,
    MAX_ERRORS,
    MAX_TOKEN,
    NAME,
    NUMBER,
    lex,
    number_value,
)
from luma.language.numbers import f16, f32
from luma.source import Source


def tokens(text: str) -> tuple[list[str], list[str]]:
    """The tokens as ``kind`` or, for names and numbers, ``kind:text``; and the errors as
    ``code start-end``."""
    reporter = Reporter(Source.plain(text))
    found = lex(text, reporter)
    shown = [
        f"{kind}:{text[start:end]}" if kind in (NAME, NUMBER, BAD) else kind
        for kind, start, end in zip(found.kinds, found.starts, found.ends, strict=True)
    ]
    return shown, [
        f"{d.code} {d.span.col_start}-{d.span.col_end}"
        for d in reporter.diagnostics
        if d.span is not None
    ]


def test_keywords_are_exactly_those_of_the_language() -> None:
    words = (
        "function end let return if then elseif else for while do in and or not true false struct "
        "uniform buffer const shared"
    )
    assert sorted(KEYWORDS) == sorted(words.split())
    assert tokens(words) == ([*words.split(), EOF], [])


@pytest.mark.parametrize("name", ["x", "_", "_a1", "End", "storage", "readonly", "vec4", "a" * 512])
def test_names(name: str) -> None:
    assert tokens(f" {name} ") == ([f"{NAME}:{name}", EOF], [])


def test_symbols() -> None:
    symbols = "-> == != <= >= << >> += -= *= /= %= ( ) [ ] { } . , : = < > + - * / % & | ~ @"
    assert tokens(symbols) == ([*symbols.split(), EOF], [])


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a<=b", "<="),
        ("a<-b", "< -"),
        ("a<<=b", "<<="),
        ("a->b", "->"),
        ("a-=b", "-="),
        ("a~=b", "~="),
        ("a~b", "~"),
        ("a==b", "=="),
        ("a=-b", "= -"),
    ],
)
def test_the_longest_symbol_wins(text: str, kinds: str) -> None:
    found, errors = tokens(text)
    assert found[1:-2] == kinds.split()
    assert errors == []


def test_tokens_have_their_places() -> None:
    text = "let  x =\n\t.5\r\n"
    found = lex(text, Reporter(Source.plain(text)))
    assert [text[s:e] for s, e in zip(found.starts, found.ends, strict=True)] == [
        "let",
        "x",
        "=",
        ".5",
        "",
    ]
    assert found.starts[-1] == found.ends[-1] == len(text)


# ---------------------------------------------------------------- comments


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \t\n\r\f\v ",
        "-- to the end",
        "--",
        "--\n--[ not a block\n",
        "--[= nor this\n",
        "--[[ block ]]",
        "--[[ two\nlines ]]",
        "--[==[ ]] ]=] \n ]==]",
        "--[[]]",
        "--[[ é😀 ]] -- ü",
        "--[[ --[[ ]]",
    ],
)
def test_comments_and_blanks_give_no_tokens(text: str) -> None:
    assert tokens(text) == ([EOF], [])


def test_code_around_comments() -> None:
    found, errors = tokens("a--[[ x ]]b--[=[ ]] ]=]c-- d\ne")
    assert (found, errors) == ([f"{NAME}:{n}" for n in "abce"] + [EOF], [])


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("a --[[ open", "E0108 3-7"),
        ("a --[==[ ]] ]=]", "E0108 3-9"),
        ("a --[[ b --[[", "E0108 3-7"),
    ],
)
def test_an_unclosed_block_comment_is_an_error_at_its_opening(text: str, error: str) -> None:
    assert tokens(text) == ([f"{NAME}:a", EOF], [error])


@pytest.mark.parametrize(
    ("text", "found"),
    [("a // b c\nc", "ac"), ("a /* b\n */ c", "ac"), ("a /* b", "a"), ("a // b: c", "a")],
)
def test_comments_of_c_are_one_error_each(text: str, found: str) -> None:
    assert tokens(text) == ([f"{NAME}:{n}" for n in found] + [EOF], ["E0113 3-5"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a // b", "a / b"),
        ("a // 2 end", "a / 2 end"),
        ("f(a // 2)", "f ( a / 2 )"),
        ("a[i] // -n.x + 1 then b", "a [ i ] / - n . x + 1 then b"),
        ("(a) // (b + 2) -- c", "( a ) / ( b + 2 )"),
        ("a // 2nd", "a"),
        ("a // the size", "a"),
        ("a // TODO: b", "a"),
        ("a\n// b", "a"),
        ("return // b", "return"),
    ],
)
def test_two_slashes_between_values_divide(text: str, found: str) -> None:
    kinds, errors = tokens(text)
    assert [k.partition(":")[2] or k for k in kinds[:-1]] == found.split()
    assert [e.split()[0] for e in errors] == ["E0113"]


def test_what_follows_two_slashes_is_looked_at_in_passing() -> None:
    text = "a // " + "(" * 50_000 + "\n" + "a // " + "b + " * 50_000
    assert tokens(text)[0][-1] is EOF


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("text", "value", "real"),
    [
        ("0", 0, False),
        ("1", 1, False),
        ("010", 10, False),
        ("4294967296", 4294967296, False),
        ("1.5", 1.5, True),
        (".5", 0.5, True),
        ("1.", 1.0, True),
        ("1e3", 1000.0, True),
        ("1e-3", 0.001, True),
        ("1E+3", 1000.0, True),
        ("1.e2", 100.0, True),
        (".5e1", 5.0, True),
        ("0x1F", 31, False),
        ("0XfF", 255, False),
        ("1e400", float("inf"), True),
    ],
)
def test_numbers(text: str, value: float, real: bool) -> None:
    assert tokens(text) == ([f"{NUMBER}:{text}", EOF], [])
    assert number_value(text) == (value, real)
    assert isinstance(number_value(text)[0], float) == real


@pytest.mark.parametrize(
    ("text", "single", "half"),
    [
        ("1.000000059604644775390625", 1.0, 1.0),
        ("1.0000000596046447753906250000000001", 1.0 + 2**-23, 1.0),
        ("1.0000001788139343261718749999999999", 1.0 + 2**-23, 1.0),
        ("1.00048828125", 1.00048828125, 1.0),
        ("1.0004882812500000000000001", 1.00048828125, 1.0 + 2**-10),
        ("1e-46", 0.0, 0.0),
        ("1e39", float("inf"), float("inf")),
        ("1e999", float("inf"), float("inf")),
    ],
)
def test_numbers_round_once(text: str, single: float, half: float) -> None:
    value, _ = number_value(text)
    assert (f32(value), f16(value)) == (single, half)


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("1.0f", "suffix"),
        ("1u", "suffix"),
        ("2x", "space"),
        ("1.5e", "digits"),
        ("1e+", "digits"),
        ("0x", "hexadecimal"),
        ("0xG", "hexadecimal"),
        ("0x1.8", "hexadecimal"),
        ("0b101", "0x"),
        ("1_000", "_"),
        ("1.2.3", "space"),
        ("1..2", "for i"),
        ("1é", "space"),
    ],
)
def test_malformed_numbers_are_one_error(text: str, help: str) -> None:
    reporter = Reporter(Source.plain(text))
    found = lex(text, reporter)
    (diagnostic,) = reporter.diagnostics
    assert diagnostic.code == "E0111"
    assert diagnostic.help is not None and help in diagnostic.help
    length = len(text) - text.endswith("+")
    assert diagnostic.span is not None and diagnostic.span.col_end == length + 1
    assert found.kinds[0] == BAD


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1-2", [f"{NUMBER}:1", "-", f"{NUMBER}:2"]),
        ("1e3-4", [f"{NUMBER}:1e3", "-", f"{NUMBER}:4"]),
        ("0xE+1", [f"{NUMBER}:0xE", "+", f"{NUMBER}:1"]),
        ("a.x", [f"{NAME}:a", ".", f"{NAME}:x"]),
        ("-1", ["-", f"{NUMBER}:1"]),
        ("a[1].x", [f"{NAME}:a", "[", f"{NUMBER}:1", "]", ".", f"{NAME}:x"]),
    ],
)
def test_where_numbers_end(text: str, expected: list[str]) -> None:
    assert tokens(text) == ([*expected, EOF], [])


# ---------------------------------------------------------------- what is no token


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("$", ["E0110 1-2"]),
        ("a $$\\` b", ["E0110 3-7"]),
        ("$ $", ["E0110 1-2", "E0110 3-4"]),
        ("a − b", ["E0110 3-4"]),
        ("a\u00a0b", ["E0110 2-3"]),
        ("\x00\x01", ["E0110 1-3"]),
        ("😀😀", ["E0110 1-3"]),
        ("٣", ["E0110 1-2"]),
        ('a "text" b', ["E0114 3-9"]),
        ('"open\n', ["E0114 1-6"]),
        ("'c'", ["E0114 1-4"]),
        ("x # y", ["E0115 3-4"]),
        ("naïve", ["E0112 1-6"]),
        ("été = 1", ["E0112 1-4"]),
        ("x²", ["E0112 1-3"]),
    ],
)
def test_stray_characters_are_reported_once_a_run(text: str, errors: list[str]) -> None:
    assert tokens(text)[1] == errors


def test_a_lookalike_is_named() -> None:
    reporter = Reporter(Source.plain("−"))
    lex("−", reporter)
    assert reporter.diagnostics[0].help == "write `-`"


def test_a_name_with_other_letters_stays_a_name() -> None:
    assert tokens("naïve")[0] == [f"{NAME}:naïve", EOF]


@pytest.mark.parametrize("text", ["a" * (MAX_TOKEN + 1), "a" * 65536, "9" * 5000, "1" + "0" * 600])
def test_names_and_numbers_have_a_greatest_length(text: str) -> None:
    assert tokens(text)[1] == [f"E0602 1-{len(text) + 1}"]


def test_lexing_stops_after_many_errors() -> None:
    _, errors = tokens("$ " * 1000)
    assert len(errors) == MAX_ERRORS + 1
    assert errors[-1].startswith("E0606")
