"""Includes, directives, encodings, and where every line of the expanded text is from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from luma.diagnostics import Diagnostic
from luma.frontend import preprocess as module
from luma.frontend.preprocess import preprocess
from luma.source import Source, Span


def expand(
    files: dict[str, str | bytes], main: str = "main.luma", include_dirs: tuple[str, ...] = ()
) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Preprocess a file of a virtual file system."""
    return preprocess(files[main], main, include_dirs=include_dirs, file_reader=files.get)


def places(source: Source) -> list[str]:
    """``word file:line:column`` of every word of the expanded text."""
    found = []
    at = 0
    for word in source.text.split():
        at = source.text.index(word, at)
        place = source.locate(Span(at, at + len(word)))
        found.append(f"{word} {place.file}:{place.line_start}:{place.col_start}")
        at += len(word)
    return found


def shown(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    """``code file:line:column-end`` of every diagnostic."""
    found = []
    for diagnostic in diagnostics:
        span = diagnostic.span
        assert span is not None
        found.append(
            f"{diagnostic.code} {span.file}:{span.line_start}:{span.col_start}-{span.col_end}"
        )
    return found


# ---------------------------------------------------------------- encodings and line ends


@pytest.mark.parametrize(
    "content",
    [
        "one\ntwo three\n",
        b"one\ntwo three\n",
        b"one\r\ntwo three\r\n",
        b"one\rtwo three\r",
        b"\xef\xbb\xbfone\ntwo three",
        "\ufeffone\r\ntwo three",
        b"one\r\ntwo three",
    ],
)
def test_line_ends_and_byte_order_marks_change_nothing(content: str | bytes) -> None:
    source, diagnostics = preprocess(content, "f")
    assert diagnostics == ()
    assert source.text.rstrip("\n") == "one\ntwo three"
    assert places(source) == ["one f:1:1", "two f:2:1", "three f:2:5"]


def test_columns_count_code_points() -> None:
    source, diagnostics = preprocess("--[[ \u00e9\U0001f600 ]] word".encode(), "f")
    assert diagnostics == ()
    assert places(source)[-1] == "word f:1:12"


@pytest.mark.parametrize("content", ["", b"", "\n\n", b"\xef\xbb\xbf", "-- only a comment"])
def test_an_empty_source_is_fine(content: str | bytes) -> None:
    source, diagnostics = preprocess(content, "f")
    assert diagnostics == ()
    assert source.locate(Span(0, 0)).file == "f"


@pytest.mark.parametrize(
    ("content", "code", "place", "message"),
    [
        (b"\xff", "E0101", "f:1:1-2", "byte 0xff at offset 0"),
        (b"ok\n a\xc3(", "E0101", "f:2:3-4", "byte 0xc3 at offset 5"),
        (b"\xef\xbb\xbfab\x80", "E0101", "f:1:3-4", "byte 0x80 at offset 5"),
        (b"a\r\nb\xed\xa0\x80", "E0101", "f:2:2-3", "byte 0xed at offset 4"),
        (b"a\x00\xff", "E0101", "f:1:3-4", "byte 0xff at offset 2"),
        ("x\0".encode("utf-16"), "E0101", "f:1:1-2", "UTF-16"),
        ("a\n\ud800", "E0101", "f:2:1-2", "U+D800"),
        (b"ab\n\x00", "E0102", "f:2:1-2", "NUL"),
        ("ab\0cd\0", "E0102", "f:1:3-4", "NUL"),
    ],
)
def test_what_is_no_text_is_one_error(
    content: str | bytes, code: str, place: str, message: str
) -> None:
    source, diagnostics = preprocess(content, "f")
    assert shown(diagnostics) == [f"{code} {place}"]
    assert message in diagnostics[0].message
    assert source.text == ""


# ---------------------------------------------------------------- includes


def test_an_included_file_stands_in_place_of_its_line() -> None:
    source, diagnostics = expand(
        {
            "main.luma": 'before\n#include "sub/a.luma"\n  after\n',
            "sub/a.luma": 'a1\n#include "b.luma"\na3',
            "sub/b.luma": "b1\nb2",
        }
    )
    assert diagnostics == ()
    assert source.text == "before\na1\nb1\nb2\na3\n  after\n"
    assert places(source) == [
        "before main.luma:1:1",
        "a1 sub/a.luma:1:1",
        "b1 sub/b.luma:1:1",
        "b2 sub/b.luma:2:1",
        "a3 sub/a.luma:3:1",
        "after main.luma:3:3",
    ]
    at = source.text.index("b2")
    assert source.locate(Span(at, at + 2)).included_from == ("sub/a.luma:2", "main.luma:2")


def test_offsets_are_right_after_many_includes() -> None:
    lines = "".join(f'#include "i"\nm{n}\n' for n in range(50))
    source, diagnostics = expand({"main.luma": lines, "i": "x\ny"})
    assert diagnostics == ()
    found = [p for p in places(source) if p.startswith("m")]
    assert found == [f"m{n} main.luma:{2 * n + 2}:1" for n in range(50)]


def test_a_file_without_final_newline_glues_nothing() -> None:
    source, diagnostics = expand({"main.luma": '#include "a"\n1', "a": "let x = 2"})
    assert diagnostics == ()
    assert source.text.split() == ["let", "x", "=", "2", "1"]


def test_a_line_comment_at_the_end_of_an_include_ends_there() -> None:
    source, _ = expand({"main.luma": '#include "a"\ncode', "a": "-- note"})
    assert source.text == "-- note\ncode"


def test_angled_includes_search_the_directories_in_order() -> None:
    files: dict[str, str | bytes] = {
        "main.luma": "#include <c.luma>\n#include <only.luma>\n",
        "c.luma": "beside",
        "one/c.luma": "first",
        "two/c.luma": "second",
        "two/only.luma": "last",
    }
    source, diagnostics = expand(files, include_dirs=("one", "two"))
    assert diagnostics == ()
    assert source.text.split() == ["first", "last"]


def test_quoted_includes_are_relative_to_the_including_file() -> None:
    source, diagnostics = expand(
        {
            "main.luma": '#include "lib/a"\n#include "/root"\n',
            "lib/a": '#include "../b"\n',
            "b": "found",
            "/root": "absolute",
        }
    )
    assert diagnostics == ()
    assert source.text.split() == ["found", "absolute"]


def test_pragma_once_goes_by_the_resolved_path() -> None:
    source, diagnostics = expand(
        {
            "main.luma": '#include "a"\n#include "./a"\n#include "lib/../a"\n#include <a>\n',
            "a": "#pragma once\nonly",
        },
        include_dirs=(".",),
    )
    assert diagnostics == ()
    assert source.text.split() == ["only"]


def test_a_diamond_is_fine_with_and_without_pragma_once() -> None:
    files: dict[str, str | bytes] = {
        "main.luma": '#include "l"\n#include "r"\n',
        "l": '#include "base"\n',
        "r": '#include "base"\n',
        "base": "b",
    }
    assert expand(files)[0].text.split() == ["b", "b"]
    files["base"] = "#pragma once -- include guard\nb"
    assert expand(files)[0].text.split() == ["b"]
    assert expand(files)[1] == ()


def test_pragma_once_ends_a_cycle() -> None:
    source, diagnostics = expand({"main.luma": '#pragma once\n#include "main.luma"\nx'})
    assert diagnostics == ()
    assert source.text == "x"


def test_a_cycle_is_reported_with_its_chain() -> None:
    source, diagnostics = expand(
        {
            "main.luma": '\n#include "a"\nend',
            "a": '#include "b"\n',
            "b": '--\n  #include "a" -- back\nb3',
        }
    )
    assert shown(diagnostics) == ["E0107 b:2:3-15"]
    assert [note.message for note in diagnostics[0].notes] == ["a:1 includes b", "b:2 includes a"]
    assert diagnostics[0].span is not None
    assert diagnostics[0].span.included_from == ("a:1", "main.luma:2")
    assert source.text.split() == ["--", "b3", "end"]


def test_a_file_that_includes_itself() -> None:
    _, diagnostics = expand({"main.luma": '#include "main.luma"'})
    assert shown(diagnostics) == ["E0107 main.luma:1:1-21"]
    assert [n.message for n in diagnostics[0].notes] == ["main.luma:1 includes main.luma"]


def test_missing_files_say_where_they_were_looked_for() -> None:
    _, diagnostics = expand(
        {"main.luma": '#include "x"\nok\n  #include <y> -- why\n'}, include_dirs=("p", "q/r")
    )
    assert shown(diagnostics) == ["E0105 main.luma:1:1-13", "E0105 main.luma:3:3-15"]
    assert [[n.message for n in d.notes] for d in diagnostics] == [
        ["there is no `x`"],
        ["there is no `p/y`", "there is no `q/r/y`"],
    ]


def test_a_bad_included_file_is_reported_in_it() -> None:
    source, diagnostics = expand({"main.luma": '#include "a"\nrest', "a": b"fine\n\xff"})
    assert shown(diagnostics) == ["E0101 a:2:1-2"]
    assert diagnostics[0].span is not None
    assert diagnostics[0].span.included_from == ("main.luma:1",)
    assert source.text == "rest"


def test_an_unclosed_comment_ends_with_its_file() -> None:
    source, diagnostics = expand(
        {"main.luma": '#include "a"\nrest', "a": 'x\n y --[==[ open ]]\n#include "b"\n'}
    )
    assert shown(diagnostics) == ["E0108 a:2:4-10"]
    assert diagnostics[0].help == "close it with `]==]`"
    assert source.text == "x\n y \nrest"


# ---------------------------------------------------------------- the file system


def test_files_are_read_from_disk(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.luma").write_bytes(b"\xef\xbb\xbffrom disk\r\n")
    main = str(tmp_path / "main.luma")
    source, diagnostics = preprocess('#include "lib/a.luma"\nx', main)
    assert diagnostics == ()
    assert source.text == "from disk\nx"
    source, diagnostics = preprocess(
        "#include <a.luma>", main, include_dirs=[str(tmp_path / "lib")]
    )
    assert diagnostics == ()
    assert source.text == "from disk\n"


def test_a_directory_and_a_missing_file_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "dir").mkdir()
    _, diagnostics = preprocess('#include "dir"\n#include "no"\n', str(tmp_path / "m"))
    assert [d.code for d in diagnostics] == ["E0106", "E0105"]
    assert "is a directory" in diagnostics[0].message


def test_pragma_once_follows_symbolic_links(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("#pragma once\nonly\n")
    os.symlink(tmp_path / "a", tmp_path / "link")
    source, diagnostics = preprocess('#include "a"\n#include "link"\n', str(tmp_path / "m"))
    assert diagnostics == ()
    assert source.text == "only\n"


def test_a_reader_that_fails_is_an_error_of_the_include() -> None:
    def reader(path: str) -> str:
        raise PermissionError(13, "Permission denied")

    _, diagnostics = preprocess('#include "a"', "m", file_reader=reader)
    assert shown(diagnostics) == ["E0106 m:1:1-13"]
    assert "Permission denied" in diagnostics[0].message


def test_a_path_that_no_file_can_have(tmp_path: Path) -> None:
    _, diagnostics = preprocess(f'#include "{"x" * 5000}"', str(tmp_path / "m"))
    assert [d.code for d in diagnostics] == ["E0106"]


# ---------------------------------------------------------------- directives


def test_line_directives_name_the_next_line() -> None:
    source, diagnostics = expand(
        {
            "main.luma": 'a\n#line 10 "gen.lua"\nb\nc\n#line 3\nd\n#include "i"\ne',
            "i": "#line 99\nf",
        }
    )
    assert diagnostics == ()
    assert places(source) == [
        "a main.luma:1:1",
        "b gen.lua:10:1",
        "c gen.lua:11:1",
        "d gen.lua:3:1",
        "f i:99:1",
        "e gen.lua:5:1",
    ]
    at = source.text.index("f")
    assert source.locate(Span(at, at + 1)).included_from == ("gen.lua:4",)


def test_line_directives_do_not_change_where_includes_are_found() -> None:
    source, diagnostics = expand(
        {"d/main": '#line 1 "elsewhere/x"\n#include "a"', "d/a": "found"}, main="d/main"
    )
    assert diagnostics == ()
    assert source.text.split() == ["found"]


@pytest.mark.parametrize(
    "text",
    [
        '--[[\n#include "no"\n]]',
        '--[==[ ]]\n#include "no"\n]==]',
        '-- #include "no"',
        '--[=\n]=] #include "no"',
    ],
)
def test_a_directive_in_a_comment_or_not_first_on_its_line_is_none(text: str) -> None:
    source, diagnostics = preprocess(text, "m")
    assert diagnostics == ()
    assert source.text == text


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('#include "a"', "a"),
        ('  \t# include\t"a"', "a"),
        ('#include "a" -- why', "a"),
        ('#include "a"--[[ why ]]', "a"),
        ('#include "a" --[=[ 1 ]=] --[[ 2 ]] -- 3', "a"),
        ('#include"a"', "a"),
    ],
)
def test_spellings_of_include(line: str, found: str) -> None:
    source, diagnostics = expand({"main.luma": line, "a": "a"})
    assert diagnostics == ()
    assert source.text.split() == [found]


@pytest.mark.parametrize(
    ("line", "code", "place"),
    [
        ("#include", "E0103", "1-9"),
        ("#include a.luma", "E0103", "1-16"),
        ('#include "a', "E0103", "1-12"),
        ("#include <a", "E0103", "1-12"),
        ('#include ""', "E0103", "1-12"),
        ("#include < >", "E0103", "1-13"),
        ('#include "a" b', "E0103", "14-15"),
        ('#include "a" --[[ open', "E0103", "14-23"),
        ('#include "a" --[[ x ]] y', "E0103", "24-25"),
        ("#pragma", "E0103", "1-8"),
        ("#pragma optimize", "E0103", "1-17"),
        ("#pragma once more", "E0103", "14-18"),
        ("#line", "E0103", "1-6"),
        ("#line 0", "E0103", "1-8"),
        ("#line -1", "E0103", "1-9"),
        ("#line 2147483648", "E0103", "1-17"),
        ("#line " + "9" * 5000, "E0103", "1-5007"),
        ("#line 1x", "E0103", "1-9"),
        ('#line 1 "a" b', "E0103", "13-14"),
        ('#line "a"', "E0103", "1-10"),
        ("#", "E0104", "1-2"),
        ("#define N 4", "E0104", "1-8"),
        ("  #ifdef A", "E0104", "3-9"),
        ("#endif", "E0104", "1-7"),
        ("#version 450", "E0104", "1-9"),
        ("#import x", "E0104", "1-8"),
        ("#frobnicate", "E0104", "1-12"),
    ],
)
def test_malformed_and_unknown_directives(line: str, code: str, place: str) -> None:
    source, diagnostics = expand({"main.luma": f"x\n{line}\ny", "a": ""})
    assert shown(diagnostics) == [f"{code} main.luma:2:{place}"]
    assert source.text == "x\ny"
    assert places(source)[-1] == "y main.luma:3:1"


@pytest.mark.parametrize(
    ("line", "help"),
    [("#define A 1", "const"), ("#ifdef A", "const"), ("#import x", "#include")],
)
def test_the_help_names_the_luma_way(line: str, help: str) -> None:
    _, (diagnostic,) = preprocess(line, "m")
    assert diagnostic.help is not None and help in diagnostic.help


def test_every_problem_is_reported_in_order() -> None:
    _, diagnostics = expand({"main.luma": '#foo\n#include "a"\n#include "no"', "a": "#bar"})
    assert shown(diagnostics) == [
        "E0104 main.luma:1:1-5",
        "E0104 a:1:1-5",
        "E0105 main.luma:3:1-14",
    ]


# ---------------------------------------------------------------- limits


def test_includes_that_nest_too_deeply() -> None:
    files: dict[str, str | bytes] = {f"f{n}": f'#include "f{n + 1}"\nx\n' for n in range(200)}
    _, diagnostics = expand(files, main="f0")
    assert [d.code for d in diagnostics] == ["E0603"]
    limit = module.MAX_INCLUDE_DEPTH
    files[f"f{limit}"] = "deepest\n"
    source, diagnostics = expand(files, main="f0")
    assert diagnostics == ()
    assert source.text.count("x") == limit


def test_a_source_that_is_too_long() -> None:
    text = "-" * (module.MAX_TEXT + 1)
    _, diagnostics = preprocess(text, "m")
    assert shown(diagnostics) == ["E0604 m:1:1-2"]
    assert preprocess(text[1:], "m")[1] == ()


def test_includes_that_double_stop_at_the_limit() -> None:
    files: dict[str, str | bytes] = {
        f"f{n}": f'#include "f{n + 1}"\n#include "f{n + 1}"\n' for n in range(60)
    }
    files["f60"] = "x" * 100_000
    _, diagnostics = expand(files, main="f0")
    assert [d.code for d in diagnostics] == ["E0604"]
    files["f60"] = ""
    _, diagnostics = expand(files, main="f0")
    assert [d.code for d in diagnostics] == ["E0605"]
