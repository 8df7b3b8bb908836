"""Building trees of shaders: which files, what they include, what is told, what is written."""

from __future__ import annotations

import json
import os
import shutil
import struct
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from luma.backends.spirv.grammar import Op
from luma.backends.spirv.reader import instructions, text

from luma.cli import lume
from luma.cli.lume_shaders import shaders
from luma.lume import tools
from luma.lume.lsb_reader import read
from tests.harness.validators import validate_spirv

HEAD = "#version 460 core\n"
OUT = "layout(location = 0) out vec4 color;\n"
FRAG = HEAD + OUT + "void main() { color = vec4(1.0); }\n"
VERT = HEAD + "void main() { gl_Position = vec4(0.0); }\n"
COMP = HEAD + "layout(local_size_x = 4) in;\nvoid main() {}\n"
BROKEN = HEAD + OUT + "void main() { color = vec4(missing); }\n"


def write(folder: Path, contents: dict[str, str]) -> None:
    for name, content in contents.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(shaders, [str(a) for a in arguments])


def made(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def outputs(name: str) -> list[str]:
    return [f"{name}.meta", f"{name}.spv", f"{name}.spv.lsb"]


def test_a_tree_is_built_into_the_same_tree(tmp_path: Path) -> None:
    write(
        tmp_path / "src",
        {
            "a.frag": FRAG,
            "deep/er/b.vert": VERT,
            "deep/c.comp": COMP,
            "deep/d.shader": "{}",
            "deep/e.json": "{}",
            "deep/f.h": "",
            "deep/g.glsl": "",
        },
    )
    result = run("--source", tmp_path / "src", "--destination", tmp_path / "out")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "4 built\n", "")
    names = [*outputs("a.frag"), *outputs("deep/c.comp"), "deep/d.shader"]
    assert made(tmp_path / "out") == sorted([*names, *outputs("deep/er/b.vert")])
    for spv in (tmp_path / "out").rglob("*.spv"):
        validate_spirv(spv.read_bytes())
    assert read((tmp_path / "out/deep/c.comp.spv.lsb").read_bytes()).reflection.local_size == (
        4,
        1,
        1,
    )


def test_outputs_lie_beside_the_sources_if_nothing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"a.frag": FRAG, "b.shader": "{}"})
    monkeypatch.chdir(tmp_path)
    assert run("--optimize").exit_code == 0
    assert made(tmp_path) == sorted(["a.frag", *outputs("a.frag"), "b.shader"])


def test_one_file(tmp_path: Path) -> None:
    write(tmp_path, {"s/a.frag": FRAG, "s/b.frag": FRAG})
    out = tmp_path / "out"
    assert run("--sourceFile", tmp_path / "s/a.frag", "--destination", out).exit_code == 0
    assert made(out) == outputs("a.frag")
    # A root that follows is the root, so that the tree is kept.
    arguments = ("--sourceFile", tmp_path / "s/a.frag", "--source", tmp_path)
    assert run(*arguments, "--destination", tmp_path / "o2").exit_code == 0
    assert made(tmp_path / "o2") == outputs("s/a.frag")


def test_failures_are_counted_and_the_others_built(tmp_path: Path) -> None:
    contents = {"a.frag": BROKEN, "b.frag": FRAG, "c.VERT": VERT, "d.vert": VERT, "e.frag": BROKEN}
    write(tmp_path, contents)
    result = run("--source", tmp_path, "--jobs", "3")
    assert (result.exit_code, result.stdout) == (3, _summary(tmp_path))
    assert made(tmp_path) == sorted([*contents, *outputs("b.frag"), *outputs("d.vert")])
    told = result.stderr
    order = [told.index(str(tmp_path / name)) for name in ("a.frag", "c.VERT", "e.frag")]
    assert order == sorted(order)
    assert "call it 'c.vert'" in told
    assert result.stderr == run("--source", tmp_path, "--jobs", "1").stderr


def _summary(folder: Path) -> str:
    failed = [f"failed: {folder / name}" for name in ("a.frag", "c.VERT", "e.frag")]
    return "\n".join([*failed, "2 built, 3 failed", ""])


def test_the_status_ends_at_125(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {f"{i}.FRAG": "" for i in range(300)})
    assert run("--source", tmp_path).exit_code == 125


def test_errors_are_told_where_they_are(tmp_path: Path) -> None:
    header = "// a header\nfloat half_of(float x) { return x * harf; }\n"
    main = HEAD + '#include "lib/half.h"\n' + OUT + "void main() { color = vec4(half_of(1.0)); }\n"
    write(tmp_path, {"a.frag": main, "lib/half.h": header})
    result = run("--source", tmp_path, "--diagnostics", "json")
    found = json.loads(result.stderr)
    (diagnostic,) = [d for d in found if "undeclared" in d["message"]]
    span = diagnostic["span"]
    assert (Path(span["file"]).name, span["line_start"], span["col_start"]) == ("half.h", 2, 37)


def test_a_warning_of_a_header_is_told_once(tmp_path: Path) -> None:
    header = "#define A__B 1\n"
    main = FRAG.replace(HEAD, HEAD + '#include "h.h"\n')
    write(tmp_path, {"a.frag": main, "b.frag": main, "h.h": header})
    result = run("--source", tmp_path)
    assert (result.exit_code, result.stderr.count("W0998")) == (0, 1)


INCLUDES = {
    "beside the shader": ({"s/x.h": "1"}, '"x.h"'),
    "in the root": ({"x.h": "1"}, '"x.h"'),
    "in an include directory": ({"inc/x.h": "1"}, '"x.h"'),
    "the first include directory wins": ({"inc/x.h": "1", "inc2/x.h": "2"}, '"x.h"'),
    "the root wins over include directories": ({"x.h": "1", "inc/x.h": "2"}, '"x.h"'),
    "beside wins over the root": ({"s/x.h": "1", "x.h": "2"}, '"x.h"'),
    "in brackets not beside": ({"s/x.h": "2", "inc/x.h": "1"}, "<x.h>"),
    "in brackets in the root": ({"s/x.h": "2", "x.h": "1"}, "<x.h>"),
    "in a directory above": ({"x/y.h": "1"}, '"../x/y.h"'),
    "with spaces and a comment": ({"x.h": "1"}, '   "x.h"   // why'),
}


@pytest.mark.parametrize("case", INCLUDES)
def test_where_headers_are(tmp_path: Path, case: str) -> None:
    headers, directive = INCLUDES[case]
    main = f"{HEAD}#include {directive}\nlayout(constant_id = X) const float a = 1.0;\n{OUT}"
    write(tmp_path, {"s/a.frag": main + "void main() { color = vec4(a); }\n"})
    write(tmp_path, {name: f"#define X {number}\n" for name, number in headers.items()})
    options = ("--include", tmp_path / "inc", "--include", tmp_path / "inc2")
    result = run("--source", tmp_path, *options)
    assert result.exit_code == 0, result.stderr
    found = read((tmp_path / "s/a.frag.spv.lsb").read_bytes()).reflection
    assert [c.id for c in found.constants] == [1]


def test_the_same_sources_give_the_same_bytes_wherever_they_lie(tmp_path: Path) -> None:
    main = FRAG.replace(HEAD, HEAD + '#include "lib/h.h"\n')
    found = []
    for folder in (tmp_path / "one", tmp_path / "two/three"):
        write(folder, {"a.frag": main, "lib/h.h": "#define A 1\n"})
        assert run("--source", folder).exit_code == 0
        found.append((folder / "a.frag.spv").read_bytes())
    assert found[0] == found[1]
    assert b"luma" not in found[0] and b"h.h" not in found[0]


def test_headers_of_headers_and_guards(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.frag": HEAD
            + '#include "lib/one.h"\n#include "lib/two.h"\n'
            + OUT
            + "void main() { color = vec4(one() + two()); }\n",
            "lib/one.h": '#ifndef ONE\n#define ONE\n#include "two.h"\n'
            "float one() { return two(); }\n#endif\n",
            "lib/two.h": '#ifndef TWO\n#define TWO\n#include "one.h"\n#endif\n'
            "#ifndef TWO_BODY\n#define TWO_BODY\nfloat two() { return 2.0; }\n#endif\n",
        },
    )
    result = run("--source", tmp_path)
    assert (result.exit_code, result.stderr) == (0, "")


def test_includes_that_are_not_active_need_not_exist(tmp_path: Path) -> None:
    head = HEAD + '#ifndef VULKAN\n#include "nowhere.h"\n#endif\n/*\n#include "nor.h"\n*/\n'
    write(tmp_path, {"a.frag": head + '// #include "that.h"\n' + FRAG.removeprefix(HEAD)})
    result = run("--source", tmp_path)
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_header_that_is_missing_is_told_with_help(tmp_path: Path) -> None:
    write(tmp_path, {"a.frag": HEAD + '\n#include "nowhere.h"\n' + FRAG.removeprefix(HEAD)})
    result = run("--source", tmp_path)
    assert result.exit_code == 1
    assert "nowhere.h" in result.stderr and "a.frag:3:" in result.stderr
    assert "nor in an include directory" in result.stderr and "luma-0" not in result.stderr


@pytest.mark.parametrize(
    ("headers", "place"),
    [
        ({"h.h": '#include "h.h"\n'}, "h.h:1"),
        ({"h.h": '\n#include "i.h"\n', "i.h": "// on\n#include <h.h>\n"}, "i.h:2"),
        ({"h.h": "#if 1\n#endif\n#include <i.h>\n", "i.h": '#include "a.frag"\n'}, "i.h:1"),
    ],
)
def test_a_header_that_includes_itself_without_end_is_an_error(
    tmp_path: Path, headers: dict[str, str], place: str
) -> None:
    shader = FRAG.replace(HEAD, HEAD + '\n#include "h.h"\n')
    write(tmp_path, {"a.frag": shader, **headers})
    result = run("--source", tmp_path)
    assert result.exit_code == 1 and "includes itself without end" in result.stderr
    assert f"{place}:1" in result.stderr


def test_headers_that_include_each_other_may_end(tmp_path: Path) -> None:
    guarded = "#ifndef {0}\n#define {0}\n#include <{1}>\n#endif\n"
    headers = {"h.h": guarded.format("H", "i.h"), "i.h": guarded.format("I", "h.h")}
    unused = {"x.h": '#include "x.h"\n'}
    lead = '\n#include "h.h"\n#include "h.h"\n#if 0\n#include "x.h"\n#endif\n'
    write(tmp_path, {"a.frag": FRAG.replace(HEAD, HEAD + lead), **headers, **unused})
    result = run("--source", tmp_path)
    assert result.exit_code == 0, result.stderr


def test_a_shader_without_a_version_is_told_what_to_say(tmp_path: Path) -> None:
    write(tmp_path, {"a.frag": "void main() {}"})
    assert "help: say #version 450 in the first line" in run("--source", tmp_path).stderr


def test_vulkan_is_100_and_lines_keep_their_numbers(tmp_path: Path) -> None:
    check = "#if VULKAN != 100 || __LINE__ != 4\n#error wrong\n#endif\n"
    write(tmp_path, {"a.frag": "// first\n" + HEAD + "\n" + check + FRAG.removeprefix(HEAD)})
    result = run("--source", tmp_path)
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize(
    "content",
    [
        "\ufeff" + FRAG,
        FRAG.replace("\n", "\r\n"),
        "/* #version 100 */\n" + FRAG,
        FRAG.replace("void", "/* \xe4 \u4e2d */ void"),
        FRAG + "// no line end",
    ],
)
def test_odd_texts_compile(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.frag").write_bytes(content.encode())
    result = run("--source", tmp_path)
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("content", ["", "\0", "#", '#include "', "#version", "\xff", "}" * 5000])
def test_texts_that_are_no_shader_fail(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.frag").write_bytes(content.encode("latin-1"))
    result = run("--source", tmp_path)
    assert result.exit_code == 1 and "E0841" in result.stderr
    assert made(tmp_path) == ["a.frag"]


def test_what_never_ends_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.frag")
    os.mkfifo(tmp_path / "b.shader")
    write(tmp_path, {"c.frag": HEAD + '#include "/dev/zero"\n' + FRAG, "d.frag": FRAG})
    result = run("--source", tmp_path)
    assert (result.exit_code, result.stderr.count("not a regular file")) == (3, 2)


VERSIONS = {"1.0": 0x10000, "1.1": 0x10300, "1.2": 0x10500, "1.3": 0x10600}


@pytest.mark.parametrize("vulkan", VERSIONS)
def test_versions_of_vulkan(tmp_path: Path, vulkan: str) -> None:
    write(tmp_path, {"a.frag": FRAG})
    assert run("--source", tmp_path, "--vulkan", vulkan, "--optimize").exit_code == 0
    binary = (tmp_path / "a.frag.spv").read_bytes()
    assert struct.unpack_from("<2I", binary)[1] == VERSIONS[vulkan]


def test_optimizing_and_stripping_leave_the_lsb_as_it_is(tmp_path: Path) -> None:
    shader = Path(__file__).parent / "shaders" / "everything.comp"
    made_of = {}
    for options in ((), ("--optimize",), ("--strip-debug-information",)):
        out = tmp_path / "_".join(options or ("plain",))
        assert run("--sourceFile", shader, "--destination", out, *options).exit_code == 0
        spv = (out / "everything.comp.spv").read_bytes()
        validate_spirv(spv)
        made_of[options] = spv, (out / "everything.comp.spv.lsb").read_bytes()
    assert len({lsb for _, lsb in made_of.values()}) == 1
    assert len({spv for spv, _ in made_of.values()}) == 3
    stripped = {i.op for i in instructions(made_of["--strip-debug-information",][0])}
    assert not stripped & {Op.Name, Op.MemberName, Op.Source, Op.Line}
    plain = list(instructions(made_of[()][0]))
    assert any(i.op == Op.Name for i in plain)
    assert not [i for i in plain if i.op == Op.SourceExtension and "GOOGLE" in text(i.words)]


def test_version_0_of_the_reflection(tmp_path: Path) -> None:
    write(tmp_path, {"a.frag": FRAG})
    assert run("--source", tmp_path, "--lsb-version", "0").exit_code == 0
    assert (tmp_path / "a.frag.spv.lsb").read_bytes()[:4] == b"rfl\0"


def test_a_destination_inside_the_sources_does_not_grow(tmp_path: Path) -> None:
    write(tmp_path, {"a.frag": FRAG, "b.SHADER": "{}", "deep/c.shader": "{}"})
    for _ in range(3):
        assert run("--source", tmp_path, "--destination", tmp_path / "out").exit_code == 0
    assert made(tmp_path / "out") == sorted([*outputs("a.frag"), "b.SHADER", "deep/c.shader"])


def test_names_of_any_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["-a b.frag", "ä\n中.frag", "luma-0.frag", os.fsdecode(b"\xff.frag"), "a:1: x.frag"]
    write(tmp_path, dict.fromkeys(names, FRAG))
    monkeypatch.chdir(tmp_path)
    result = run("--source", ".", "--check-if-changed")
    assert (result.exit_code, result.stdout) == (0, "5 built\n"), result.stderr
    assert run("--source", ".", "--check-if-changed").stdout == "0 built, 5 up to date\n"
    write(tmp_path, dict.fromkeys(names, BROKEN))
    result = run("--source", ".")
    assert result.exit_code == 5 and result.exception.__class__ is SystemExit
    assert result.stderr.count("undeclared") == 5


def test_warnings_tell_which_shader_they_are_of(tmp_path: Path) -> None:
    uniform = "layout(set = 5, binding = 0) uniform A { vec4 a; };\n"
    write(tmp_path, {"a.frag": FRAG.replace(OUT, uniform + OUT), "b.frag": FRAG})
    result = run("--source", tmp_path)
    assert result.exit_code == 0 and f"'{tmp_path / 'a.frag'}': set 5" in result.stderr


def test_what_is_up_to_date_is_left_alone(tmp_path: Path) -> None:
    main = FRAG.replace(HEAD, HEAD + '#include "h.h"\n')
    write(tmp_path, {"s/a.frag": main, "s/b.frag": FRAG, "i/h.h": "", "s/c.shader": "{}"})
    check = ("--source", tmp_path / "s", "--include", tmp_path / "i", "--check-if-changed")
    out = ("--destination", tmp_path / "out")

    def told(*options: str) -> str:
        result = run(*check, *out, *options)
        assert result.exit_code == 0, result.stderr
        return result.stdout.strip()

    assert told() == "3 built"
    assert told() == "0 built, 3 up to date"
    assert told("--optimize") == "2 built, 1 up to date"
    assert told("--vulkan", "1.1") == "2 built, 1 up to date"
    assert told("--lsb-version", "0") == "2 built, 1 up to date"
    assert told() == "2 built, 1 up to date"
    os.utime(tmp_path / "i/h.h", ns=(1, 1))
    assert told() == "1 built, 2 up to date"
    (tmp_path / "out/b.frag.spv").unlink()
    assert told() == "1 built, 2 up to date"
    # A header that is found before the one that was used.
    write(tmp_path, {"s/h.h": ""})
    assert told() == "1 built, 2 up to date"
    write(tmp_path, {"s/c.shader": "{ }"})
    assert told() == "1 built, 2 up to date"
    assert told() == "0 built, 3 up to date"


def test_a_place_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    write(tmp_path, {"s/a.frag": FRAG, "s/b.frag": FRAG, "out/a.frag.spv/x": ""})
    result = run("--source", tmp_path / "s", "--destination", tmp_path / "out")
    assert result.exit_code == 1 and "E0808" in result.stderr
    assert made(tmp_path / "out") == sorted(["a.frag.spv/x", *outputs("b.frag")])


@pytest.mark.parametrize(
    "arguments", [("--source", "nowhere"), ("--sourceFile", "no.frag"), ("--sourceFile", "a.txt")]
)
def test_sources_that_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    write(tmp_path, {"a.txt": ""})
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 1 and "E0850" in result.stderr


# ---------------------------------------------------------------- the programs


def test_a_missing_program_is_told_with_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "_of_package", lambda program, package: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    write(tmp_path, {"a.frag": FRAG})
    result = run("--source", tmp_path)
    assert result.exit_code == 1
    assert "E0842" in result.stderr and "pip install 'luma-shader[lume]'" in result.stderr


@pytest.mark.parametrize("program", ["glslangValidator", "glslc"])
def test_the_systems_compilers_give_the_same_lsb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    shader = Path(__file__).parent / "shaders" / "everything.comp"
    run("--sourceFile", shader, "--destination", tmp_path / "package")
    found = shutil.which(program)
    assert found is not None, f"{program} is not installed"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / program).symlink_to(found)
    monkeypatch.setattr(tools, "_of_package", lambda program, package: None)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    result = run("--sourceFile", shader, "--destination", tmp_path / "system")
    assert result.exit_code == 0, result.stderr
    package, system = (
        (tmp_path / name / "everything.comp.spv.lsb").read_bytes() for name in ("package", "system")
    )
    assert package == system
    write(tmp_path, {"x.frag": BROKEN})
    told = run("--sourceFile", tmp_path / "x.frag").stderr
    assert "E0841" in told and "x.frag:3:28" in told and "missing" in told


def test_a_program_that_does_not_run_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "find", lambda name: tools.Tool(tmp_path / "no-such-program"))
    write(tmp_path, {"a.frag": FRAG})
    result = run("--source", tmp_path)
    assert result.exit_code == 1 and "E0842" in result.stderr


GL_SHADER = """#version 460 core
layout(constant_id = 256) const uint CORE_BACKEND_TYPE = 0u;
layout(constant_id = 257) const float CORE_FLIP_NDC = 1.0;
layout(push_constant) uniform Push { vec4 tint; };
layout(set = 0, binding = 3) uniform Scene { vec4 ambient; };
layout(set = 1, binding = 0) uniform texture2D image;
layout(set = 1, binding = 2) uniform sampler filtering;
layout(set = 2, binding = 1) uniform sampler2D other;
layout(set = 3, binding = 0) buffer Data { vec4 data[]; } named;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main()
{
    color = tint + ambient + named.data[0] + texture(other, uv) * CORE_FLIP_NDC;
    if (CORE_BACKEND_TYPE != 0u) color += texture(sampler2D(image, filtering), uv);
}
"""


def test_glsl_for_opengl_has_the_engines_names(tmp_path: Path) -> None:
    write(tmp_path, {"a.frag": GL_SHADER})
    result = run("--source", tmp_path, "--gl", "--optimize", "--strip-debug-information")
    assert (result.exit_code, result.stderr) == (0, "")
    desktop = (tmp_path / "a.frag.spv.gl").read_text()
    mobile = (tmp_path / "a.frag.spv.gles").read_text()
    assert desktop.startswith("#version 450\n") and mobile.startswith("#version 320 es\n")
    for found in (desktop, mobile):
        for wanted in (
            "#define SPIRV_CROSS_CONSTANT_ID_256 1u\n",
            "uniform float CORE_FLIP_NDC ;\n",
            "uniform Push CORE_PC_0;",
            "layout(std140) uniform s0_b3\n",
            "} _s0_b3;",
            "sampler2D s1_b0_s1_b2;",
            "sampler2D s2_b1;",
            "layout(binding = 11, std430) buffer s3_b0\n",
            "} named;",
        ):
            assert wanted in found, found
        assert "CORE_FLIP_NDC = " not in found
    assert run("--source", tmp_path, "--gl", "--check-if-changed").stdout == "1 built\n"
    assert run("--source", tmp_path, "--gl", "--check-if-changed").stdout == (
        "0 built, 1 up to date\n"
    )


def test_old_glsl_for_opengl_is_told_of(tmp_path: Path) -> None:
    write(tmp_path, {"a.frag": FRAG, "b.frag": FRAG, "a.frag.spv.gles": "", "b.frag.spv.gl": ""})
    result = run("--source", tmp_path)
    assert result.exit_code == 0
    assert result.stderr.count("W0999") == 1 and "of 2 shaders is left" in result.stderr
    assert run("--source", tmp_path, "--gl").stderr == ""


def test_what_opengl_cannot_have_is_a_warning(tmp_path: Path) -> None:
    shader = Path(__file__).parent / "shaders" / "acceleration.frag"
    result = run("--sourceFile", shader, "--destination", tmp_path, "--vulkan", "1.2", "--gl")
    assert result.exit_code == 0
    assert (tmp_path / "acceleration.frag.spv").exists()
    written = {p.suffix for p in tmp_path.iterdir()} & {".gl", ".gles"}
    assert result.stderr.count("W0999") == 2 - len(written)


def test_opengl_without_spirv_cross_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    write(tmp_path, {"a.frag": FRAG})
    result = run("--source", tmp_path, "--gl")
    assert result.exit_code == 1
    assert "spirv-cross is needed" in result.stderr and "leave --gl out" in result.stderr


# ---------------------------------------------------------------- under the engine's name


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        ([], 0, "Usage"),
        (["--help"], 1, "Usage"),
        (["--bogus"], 1, "--bogus"),
        (["--source"], 1, "--source"),
        (["--vulkan", "1.4"], 1, "1.4"),
        (["--source", "nowhere"], 1, "nowhere"),
        (["--source", "."], 2, "2 failed"),
        (["--sourceFile", "c.frag"], 0, "1 built"),
    ],
)
def test_the_statuses_are_those_of_the_engines_tool(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    status: int,
    told: str,
) -> None:
    write(tmp_path, {"a.frag": BROKEN, "b.frag": BROKEN, "c.frag": FRAG})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["LumeShaderCompiler", *arguments])
    with pytest.raises(SystemExit) as left:
        lume.shader_compiler()
    assert left.value.code == status
    said = capsys.readouterr()
    assert told in said.out + said.err
