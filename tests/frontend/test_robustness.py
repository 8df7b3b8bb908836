"""No input makes the front end fail: every one gives a tree, and diagnostics where it is wrong."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from luma.codes import CODES
from luma.diagnostics import Diagnostic, Reporter
from luma.frontend import syntax
from luma.frontend.cursor import MAX_HEIGHT, MAX_NESTING
from luma.frontend.dump import dump
from luma.frontend.lexer import MAX_ERRORS
from luma.frontend.parser import parse
from luma.frontend.preprocess import preprocess
from luma.source import Source
from tests.harness.cases import includes, shader_files

SHADERS = (*shader_files().values(), *includes())


def front_end(content: str | bytes, name: str = "f.luma") -> tuple[Diagnostic, ...]:
    """Run the front end over anything, check what always holds, and give the diagnostics."""
    source, found = preprocess(content, name, file_reader=None)
    reporter = Reporter(source)
    module = parse(source, reporter)
    diagnostics = (*found, *reporter.diagnostics)
    places = [d.span for d in reporter.diagnostics]
    assert len(diagnostics) <= len(found) + MAX_ERRORS + 1
    for diagnostic in diagnostics:
        assert diagnostic.code in CODES
        assert diagnostic.span is not None
        assert 1 <= diagnostic.span.line_start <= diagnostic.span.line_end
        assert diagnostic.span.col_start >= 1
        diagnostic.render()
    if len(source.segments) == 1:
        starts = [(p.line_start, p.col_start) for p in places if p is not None]
        assert starts == sorted(starts)
    dump(module)
    return diagnostics


def codes(text: str) -> list[str]:
    """The codes reported for a text."""
    return [d.code for d in front_end(text)]


def in_function(text: str) -> str:
    """Statements in a function."""
    return f"function f()\n{text}\nend\nconst last = 1"


# ---------------------------------------------------------------- size

DEEP = {
    "parentheses": "x = " + "(" * 10_000 + "1" + ")" * 10_000,
    "not": "x = " + "not " * 5000 + "true",
    "minus": "x = " + "- " * 5000 + "1",
    "calls": "x = " + "f(" * 5000 + ")" * 5000,
    "indices": "x = " + "a[" * 5000 + "1" + "]" * 5000,
    "struct literals": "x = " + "{ a = " * 5000 + "1" + "}" * 5000,
    "array types": "let x: " + "[2]" * 5000 + "float = y",
    "mixed": "x = " + "1 + 2 * -(f(" * 3000 + "1" + "))" * 3000,
    "ifs": "if a then " * 5000 + "end " * 5000,
    "loops": "for i = 0, 2 do while a do " * 2500 + "end end " * 2500,
    "blocks": "do " * 5000 + "end " * 5000,
    "else ifs": "if a then else " * 5000 + "end " * 5000,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_deep_nesting_is_one_error_and_the_rest_is_parsed(text: str) -> None:
    source = Source.plain(in_function(text))
    reporter = Reporter(source)
    module = parse(source, reporter)
    assert [d.code for d in reporter.diagnostics] == ["E0601"]
    assert isinstance(module.declarations[-1], syntax.ConstDecl)


NESTED = {
    "parentheses": ("x = ", "(", "1", ")", MAX_NESTING),
    "calls": ("x = ", "f(", "1", ")", MAX_NESTING),
    "methods": ("x = ", "a.b(", "1", ")", 50),
    "indices": ("x = ", "a[", "1", "]", MAX_NESTING),
    "literals": ("x = ", "S { a = ", "1", "}", MAX_NESTING),
    "array literals": ("x = ", "[1]T { ", "1", "}", MAX_NESTING // 2),
    "array sizes": ("x = ", "[", "1", "]T { }", MAX_NESTING // 2),
    "prefixes": ("x = ", "- ", "1", "", MAX_NESTING),
    "ternaries": ("x = ", "a ? ", "1", " : 2", 50),
    "ifs": ("", "if a then ", "x = 1", " end", MAX_NESTING),
    "attributed loops": ("", "@unroll for i = 0, 1 do ", "x = 1", " end", MAX_NESTING),
    "braces": ("", "{", "x = 1", "}", 50),
}


@pytest.mark.parametrize(("before", "opening", "inner", "closing", "levels"), NESTED.values())
def test_nesting_up_to_the_limit_is_no_limit_error(
    before: str, opening: str, inner: str, closing: str, levels: int
) -> None:
    found = codes(in_function(before + opening * levels + inner + closing * levels))
    assert "E0601" not in found


@pytest.mark.parametrize("opening", ["(", "f(", "a[", "S { a = ", "[1]T { ", "[", "- "])
@pytest.mark.parametrize("count", [100, 300, 5000])
def test_unclosed_nesting_ends(opening: str, count: int) -> None:
    assert codes(in_function("x = " + opening * count))


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "a + " * (MAX_HEIGHT - 1) + "a",
        "x = a" + ".b" * (MAX_HEIGHT - 1),
        "if a then x = 1 " + "elseif b then x = 2 " * 3000 + "end",
        "x = f(" + "a, " * 20_000 + "a)",
        "let x: [3]int = [3]int { " + "1, " * 20_000 + "1 }",
        "x = y " * 20_000,
    ],
)
def test_long_is_fine(text: str) -> None:
    assert codes(in_function(text)) == []


@pytest.mark.parametrize(
    "text", ["x = " + "a + " * 20_000 + "a", "x = a" + ".b" * 20_000, "x = a" + "[0]" * 20_000]
)
def test_a_chain_that_is_too_long_is_one_error(text: str) -> None:
    assert codes(in_function(text)) == ["E0601"]


def test_a_function_of_many_lines() -> None:
    lines = "".join(f"let v{i}: float = v{i - 1} * 2.0 + b.x\n" for i in range(20_000))
    assert codes(in_function(lines)) == []


@pytest.mark.parametrize(
    "text",
    [
        " " * 1_000_000,
        "\n" * 1_000_000,
        ";" * 100_000,
        "@" * 100_000,
        "end " * 100_000,
        "else " * 100_000,
        "struct " * 100_000,
        "function " * 100_000,
        "function f() " * 50_000,
        "let " * 100_000,
        "if " * 100_000,
        "return " * 100_000,
        "--[==[" * 100_000,
        "]" * 100_000,
        '"' * 100_001,
        "$ " * 100_000,
        "." * 100_000,
        "1." * 100_000,
        "a<" * 50_000,
        "if a {" * 20_000,
        "repeat " * 20_000 + "until " * 20_000,
        "#include " * 50_000,
        "#line 1\n" * 20_000,
        "#\n" * 20_000,
        "@a(" * 50_000,
        "a " * 200_000,
        "x = [" * 20_000,
        "\u00e9 " * 50_000,
    ],
    ids=lambda text: f"{text[:12]!r}",
)
def test_floods_of_one_token_end(text: str) -> None:
    for content in (text, in_function(text)):
        source, _ = preprocess(content, "f.luma")
        parse(source, Reporter(source))


def test_many_errors_stop_with_one_that_says_so() -> None:
    found = codes(in_function("let = 1 " * 1000))
    assert len(found) == MAX_ERRORS + 1
    assert found[-1] == "E0606"


# ---------------------------------------------------------------- damaged shaders


@pytest.mark.parametrize("path", SHADERS, ids=lambda path: path.name)
def test_a_truncated_shader_gives_diagnostics(path: Path) -> None:
    content = path.read_bytes()
    for end in range(0, len(content), 7):
        front_end(content[:end], str(path))


@pytest.mark.parametrize("path", SHADERS, ids=lambda path: path.name)
def test_a_whole_shader_has_no_syntax_errors(path: Path) -> None:
    assert front_end(path.read_bytes(), str(path)) == ()


@pytest.mark.parametrize("seed", range(40))
def test_a_shader_with_words_changed_gives_diagnostics(seed: int) -> None:
    chance = random.Random(seed)
    path = chance.choice(SHADERS)
    words = path.read_text(encoding="utf-8").split(" ")
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(words))
        other = chance.choice(["", "end", "(", ")", "{", "=", "--[[", "function", words[at - 1]])
        words[at] = other
    front_end(" ".join(words), str(path))


def test_the_same_shader_in_any_encoding_gives_the_same_tree() -> None:
    text = SHADERS[0].read_text(encoding="utf-8")
    trees = set()
    for content in (
        text.encode(),
        text.replace("\n", "\r\n").encode(),
        text.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + text.encode(),
        text.rstrip("\n").encode(),
    ):
        source, _ = preprocess(content, str(SHADERS[0]))
        trees.add(dump(parse(source, Reporter(source))))
    assert len(trees) == 1


# ---------------------------------------------------------------- noise

_WORDS = (
    "function end let return if then elseif else for while do in and or not true false struct "
    "uniform buffer const shared storage local break repeat until x y f S vec4 1 2.5 .5 0x1F 1.0f "
    "-> == != <= >= << >> += -= *= /= %= ( ) [ ] { } . , : = < > + - * / % & | ~ @ ~= && || ++ ! ? "
    "; ^ .. // /* */ -- --[[ ]] #include #line # $ \u00e9 \" ' nil discard switch"
)


@given(st.lists(st.sampled_from([*_WORDS.split(), "\n"]), max_size=60))
@settings(max_examples=300, deadline=None)
def test_token_soup(words: list[str]) -> None:
    front_end(" ".join(words))
    front_end(in_function(" ".join(words)))


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_random_bytes(content: bytes) -> None:
    front_end(content)


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_random_text(content: str) -> None:
    front_end(content)


@given(st.text(alphabet='"#<>-[]=\n \tincludeprgmaonce0', max_size=120))
@settings(max_examples=300, deadline=None)
def test_random_directives(content: str) -> None:
    source, found = preprocess(content, "f", file_reader={"o": "x", "n": "#pragma once"}.get)
    for diagnostic in found:
        diagnostic.render()
    assert source.segments[0].start == 0
