"""The squeezer: what it drops means nothing, and no two tokens become one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import luma
from luma.squeezer import squeeze, tokens
from luma.validation import validate
from tests.harness.cases import shader_files


@pytest.mark.parametrize(
    ("text", "squeezed"),
    [
        ("float a = b - -c;", "float a=b- -c;"),
        ("a + +b; a + ++b; a++ + b", "a+ +b;a+ ++b;a+++b"),
        ("x = a / *p;", "x=a/ *p;"),
        ("return 1.0 ; // done", "return 1.0;"),
        ("a /* b */ c", "a c"),
        ("a/**/+b", "a+b"),
        ("#version 450\n\nvoid  main ( ) { }\n", "#version 450\nvoid main(){}"),
        ("int a;\n  #define  F(x)  (x)  // twice\nint b;", "int a;\n#define F(x) (x)\nint b;"),
        ("#define A 1 \\\n  + 2\nA", "#define A 1 + 2\nA"),
        ("array<vec2<f32> > = x", "array<vec2<f32> > =x"),
        ("a[1 ] . x", "a[1].x"),
        ("1.0 . x", "1.0 .x"),
        ("1e-5 - 3", "1e-5-3"),
        ('print("a  //  b")', 'print("a  //  b")'),
        ("", ""),
        ("/* never ends", ""),
        ('"\n"', '"\n"'),
        ('"never ends // x\n # y\nz', '"never ends // x\n# y\nz'),
    ],
)
def test_white_space_goes(text: str, squeezed: str) -> None:
    assert squeeze(text) == squeezed


def test_comments_nest_in_wgsl() -> None:
    text = "a /* b /* c */ d */ e"
    assert squeeze(text, nested=True) == "a e"
    assert squeeze(text) == "a d*/e"


PIECES = st.sampled_from(
    ["+", "-", "/", "*", "<", ">", "=", "&", "|", "^", ".", ":", "1", "1.", ".5", "1e", "x", "_",
     "f32", "0x1", "#", "\n", " ", '"', "//", "/*", "*/", "\\", "é", "!"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12).map("".join), st.booleans())
def test_tokens_stay_as_they_were(text: str, nested: bool) -> None:
    found = tokens(text, nested=nested)
    squeezed = squeeze(text, nested=nested)
    assert tokens(squeezed, nested=nested) == found
    assert squeeze(squeezed, nested=nested) == squeezed


@pytest.mark.parametrize("name", shader_files())
def test_squeezed_shaders_say_the_same(name: str) -> None:
    path = shader_files()[name]
    for target in ("glsl", "hlsl", "msl", "wgsl"):
        results = luma.compile_all(path.read_text(), target=target, name=str(path))
        for result in results.values():
            if not result.success:  # an include has no entry point, and a target may lack a thing
                continue
            nested = target == "wgsl"
            squeezed = squeeze(result.text, nested=nested)
            assert len(squeezed) < len(result.text)
            assert tokens(squeezed, nested=nested) == tokens(result.text, nested=nested)
            if target == "glsl":
                assert result.module is not None
                entries = result.module.entry_points
                assert not validate(squeezed.encode(), "glsl", entries)
