"""Snippets beyond what the engine's tool does: places of errors, mismatches, checking, layouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from luma.cli.lume_snippets import snippets
from luma.diagnostics import LumaError
from luma.lume.snippets import make
from luma.lume.snippets.json_text import read
from luma.lume.snippets.layout import descriptor, dumped

TEMPLATE = """\
#version 460 core
layout(location = 0) in vec2 inUv;
layout(location = 0) out vec4 outColor;
//>DECLARATIONS_color light
void main()
{
    outColor = vec4(0.0);
    //>FUNCTIONS_color light
}
"""

COLOR = """\
void tint(in vec2 uv, in float amount, out vec4 color)
{
    color = vec4(uv, amount, 1.0);
}
"""


def variable(kind: str, name: str) -> dict[str, str]:
    return {"type": kind, "name": name}


def files() -> dict[str, Any]:
    """A configuration with its template and group; each test changes something."""
    return {
        "shader.json": {
            "target": "shader.frag",
            "template": "template.json",
            "uniforms": [],
            "blocks": [
                {
                    "name": "color",
                    "function": "tint",
                    "inputs": [variable("vec2", "inUv"), {"type": "float", "value": "0.5"}],
                    "outputs": [variable("vec4", "outColor")],
                }
            ],
        },
        "template.json": {
            "template": "template.h",
            "variables": {
                "inputs": [variable("vec2", "inUv")],
                "outputs": [variable("vec4", "outColor")],
            },
            "templateBlocks": [{"name": "color", "source": "color.json"}],
        },
        "color.json": {
            "source": "color.h",
            "blocks": [
                {
                    "function": "tint",
                    "inputs": [{"type": "vec2"}, {"type": "float"}],
                    "outputs": [{"type": "vec4"}],
                }
            ],
        },
        "template.h": TEMPLATE,
        "color.h": COLOR,
    }


def write(folder: Path, contents: dict[str, Any]) -> None:
    for name, content in contents.items():
        text = content if isinstance(content, str) else json.dumps(content, indent=2)
        (folder / name).write_text(text)


def run(folder: Path, contents: dict[str, Any], *options: str) -> Result:
    write(folder, contents)
    arguments = ["--source", str(folder), "--destination", str(folder / "out"), *options]
    return CliRunner().invoke(snippets, arguments)


def told(folder: Path, contents: dict[str, Any], *options: str) -> list[dict[str, Any]]:
    """The diagnostics of a run, with the files' names for their paths."""
    result = run(folder, contents, "--diagnostics", "json", *options)
    found = json.loads(result.stderr)
    for diagnostic in found:
        if diagnostic["span"] is not None:
            diagnostic["span"]["file"] = Path(diagnostic["span"]["file"]).name
    return list(found)


def place(diagnostic: dict[str, Any]) -> tuple[str, int, str]:
    """The file and line of a diagnostic, and the text that it points at."""
    span = diagnostic["span"]
    line = (diagnostic["folder"] / span["file"]).read_text().split("\n")[span["line_start"] - 1]
    return span["file"], span["line_start"], line[span["col_start"] - 1 : span["col_end"] - 1]


def test_a_good_configuration_is_made_without_a_word(tmp_path: Path) -> None:
    result = run(tmp_path, files(), "--check", "--strict")
    assert (result.exit_code, result.stderr) == (0, "")
    made = (tmp_path / "out" / "shader.frag").read_text()
    assert COLOR + "//>DECLARATIONS_color light\n" in made
    assert "    tint(inUv, float(0.5), outColor);\n    //>FUNCTIONS_color light\n" in made


@pytest.mark.parametrize(
    ("name", "way", "value", "message", "pointed"),
    [
        ("shader.json", ("template",), 5, "'template' is not a string", "5"),
        ("shader.json", ("blocks", 0, "function"), None, "'blocks[0].function' is not a s", "null"),
        ("shader.json", ("blocks", 0, "name"), "sound", "the template has no group 'sound'", "{"),
        ("shader.json", ("target",), "", "'target' is not the name of a file", '""'),
        ("shader.json", ("target",), "shader.json", "cannot end in .json", '"shader.json"'),
        ("template.json", ("template",), "no.h", "cannot read 'no.h'", '"no.h"'),
        ("template.json", ("templateBlocks", 0, "source"), "no.json", "cannot r", '"no.json"'),
        ("template.json", ("templateBlocks",), 1, "'templateBlocks' is not an array", "1"),
        ("template.json", ("pipelineLayout",), "no.json", "cannot read", '"no.json"'),
    ],
)
def test_errors_name_their_place(
    tmp_path: Path, name: str, way: tuple[Any, ...], value: Any, message: str, pointed: str
) -> None:
    contents = files()
    spot = contents[name]
    for step in way[:-1]:
        spot = spot[step]
    spot[way[-1]] = value
    if name == "shader.json" and way == ("template",):
        # Not a configuration any more, unless it is asked for by name.
        write(tmp_path, contents)
        found = make(tmp_path / name, single=True).diagnostics
        assert message in found[0].message
        return
    (found,) = told(tmp_path, contents)
    assert message in found["message"] and found["level"] == "error"
    found["folder"] = tmp_path
    assert place(found)[2] == pointed
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("target", [".", "..", "/", "a/", "a/..", "a\0.frag", 5, None, []])
def test_targets_that_are_no_files(tmp_path: Path, target: Any) -> None:
    contents = files()
    contents["shader.json"]["target"] = target
    (found,) = told(tmp_path, contents)
    assert found["code"] == "E0847" and "'target' is not the name" in found["message"]


@pytest.mark.parametrize("name", ["template", "pipelineLayout"])
@pytest.mark.parametrize("path", ["", ".", "a\0b", "/", "x" * 5000, "/dev/zero"])
def test_paths_that_are_no_files(tmp_path: Path, name: str, path: str) -> None:
    contents = files()
    contents["template.json"][name] = path
    (found,) = told(tmp_path, contents)
    assert found["level"] == "error" and found["span"]["file"] == "template.json"


def test_a_shader_without_a_target_is_printed(tmp_path: Path) -> None:
    contents = files()
    del contents["shader.json"]["target"]
    result = run(tmp_path, contents)
    assert result.exit_code == 1 and "Result:\n#version 460" in result.stdout


def test_templates_without_a_place_to_insert(tmp_path: Path) -> None:
    contents = files() | {"template.h": TEMPLATE.replace("FUNCTIONS_color", "FUNCTIONS_colour")}
    (found,) = told(tmp_path, contents)
    assert (found["code"], found["span"]["file"]) == ("E0848", "shader.json")
    contents = files() | {"template.h": TEMPLATE.replace("//>DECLARATIONS", "//DECLARATIONS")}
    (found,) = told(tmp_path, contents)
    assert found["code"] == "E0848"


def test_more_sets_than_the_engine_has(tmp_path: Path) -> None:
    contents = files()
    contents["template.json"]["pipelineLayout"] = "layout.json"
    contents["layout.json"] = {"descriptorSetLayouts": [{"set": 3}]}
    assert told(tmp_path, contents) == []
    contents["shader.json"]["uniforms"] = [variable("sampler2D", "image")]
    (found,) = told(tmp_path, contents)
    assert (found["code"], found["span"]["file"]) == ("E0849", "layout.json")


def test_what_is_ignored_is_told(tmp_path: Path) -> None:
    contents = files()
    contents["shader.json"]["uniforms"] = [{"name": "untyped"}]
    found = told(tmp_path, contents, "--bogus")
    assert [d["code"] for d in found] == ["W0997", "W0997"]
    assert (tmp_path / "out" / "shader.frag").exists()


def test_other_json_is_left_alone_but_broken_json_is_told(tmp_path: Path) -> None:
    contents = files() | {"notes.json": {"anything": [1, 2]}, "broken.json": '{"a": 1,\n  }'}
    (found,) = told(tmp_path, contents)
    assert (found["code"], found["span"]["file"]) == ("E0846", "broken.json")
    assert (found["span"]["line_start"], found["span"]["col_start"]) == (2, 3)
    assert (tmp_path / "out" / "shader.frag").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda b: b.update(function="shade"), "does not list a function 'shade'"),
        (lambda b: b["inputs"].pop(), "takes 2 inputs and is given 1"),
        (lambda b: b["outputs"].append(variable("int", "x")), "takes 1 outputs and is given 2"),
        (lambda b: b["inputs"][1].update(type="int"), "takes a float and is given an int"),
        (lambda b: b["inputs"][0].update(type="vec3"), "'inUv' is a vec2, not a vec3"),
    ],
)
def test_calls_that_do_not_match(tmp_path: Path, change: Any, message: str) -> None:
    contents = files()
    change(contents["shader.json"]["blocks"][0])
    found = told(tmp_path, contents)
    assert any(message in d["message"] and d["code"] == "W0996" for d in found)
    assert run(tmp_path, contents).exit_code == 0
    assert (tmp_path / "out" / "shader.frag").exists()
    (tmp_path / "out" / "shader.frag").unlink()
    found = told(tmp_path, contents, "--strict")
    assert any(message in d["message"] and d["level"] == "error" for d in found)
    assert run(tmp_path, contents, "--strict").exit_code == 1
    assert not (tmp_path / "out" / "shader.frag").exists()


def test_a_function_may_be_listed_for_several_types(tmp_path: Path) -> None:
    contents = files()
    (listed,) = contents["color.json"]["blocks"]
    other = {**listed, "inputs": [{"type": "vec4"}, {"type": "float"}]}
    contents["color.json"]["blocks"] = [listed, other]
    assert told(tmp_path, contents) == []
    contents["shader.json"]["blocks"][0]["inputs"][1]["type"] = "int"
    assert [d["message"] for d in told(tmp_path, contents)] == [
        "'tint' takes a float and is given an int"
    ]


def test_checking_tells_of_the_snippet(tmp_path: Path) -> None:
    contents = files() | {"color.h": COLOR.replace("amount, 1.0", "amuont, 1.0")}
    (found,) = told(tmp_path, contents, "--check")
    found["folder"] = tmp_path
    assert place(found) == ("color.h", 3, "amuont")
    assert found["code"] == "E0841" and "undeclared" in found["message"]


def test_checking_tells_of_the_template(tmp_path: Path) -> None:
    contents = files() | {"template.h": TEMPLATE.replace("vec4(0.0)", "vec5(0.0)")}
    found = told(tmp_path, contents, "--check")[0]
    found["folder"] = tmp_path
    assert place(found) == ("template.h", 7, "vec5")


def test_checking_tells_of_the_configuration(tmp_path: Path) -> None:
    contents = files()
    contents["shader.json"]["blocks"][0]["inputs"][1]["value"] = "strength"
    found = told(tmp_path, contents, "--check")[0]
    found["folder"] = tmp_path
    name, _, pointed = place(found)
    assert (name, pointed) == ("shader.json", '"strength"')
    contents = files()
    contents["shader.json"]["uniforms"] = [variable("sampler7D", "image")]
    found = told(tmp_path, contents, "--check")[0]
    assert found["span"]["file"] == "shader.json"


def test_checking_compares_the_pipeline_layout(tmp_path: Path) -> None:
    """A resource of the template's that its layout lacks, and one that it has otherwise."""
    resources = (
        "layout(set = 0, binding = 0) uniform A { vec4 a; };\n"
        "layout(set = 0, binding = 1) uniform texture2D b;\n"
        "layout(set = 0, binding = 2) uniform textureBuffer c;\n"
        "layout(set = 0, binding = 3) uniform sampler d;\n"
    )
    contents = files()
    contents["template.h"] = TEMPLATE.replace("//>DECL", resources + "//>DECL")
    contents["template.json"]["pipelineLayout"] = "layout.json"
    kinds = {0: "uniform_buffer_dynamic", 1: "storage_image", 2: "uniform_texel_buffer"}
    bindings = [{"binding": n, "descriptorType": kind} for n, kind in kinds.items()]
    contents["layout.json"] = {"descriptorSetLayouts": [{"set": 0, "bindings": bindings}]}
    warnings = told(tmp_path, contents, "--check")
    assert {d["code"] for d in warnings} == {"W0994"}
    assert [d["message"].partition(": ")[2] for d in warnings] == [
        "the pipeline layout has no sampled_image at binding 1 of set 0, but a storage_image",
        "the pipeline layout has no sampler at binding 3 of set 0",
    ]
    assert told(tmp_path, contents) == []
    contents["layout.json"] = {"descriptorSetLayouts": []}
    assert told(tmp_path, contents, "--check") == []


def test_checking_finds_headers(tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "half.h").write_text("const float HALF = 0.5;\n")
    contents = files()
    contents["template.h"] = TEMPLATE.replace(" core\n", ' core\n#include "half.h"\n')
    contents["shader.json"]["blocks"][0]["inputs"][1]["value"] = "HALF"
    assert run(tmp_path, contents, "--check").exit_code == 1
    assert run(tmp_path, contents, "--check", "--include", str(tmp_path / "api")).exit_code == 0


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("sampler2D", "combined_image_sampler"),
        ("samplerCubeArrayShadow", "combined_image_sampler"),
        ("usampler3D", "combined_image_sampler"),
        ("samplerBuffer", "combined_image_sampler"),
        ("sampler", "sampler"),
        ("samplerShadow", "sampler"),
        ("texture2DArray", "sampled_image"),
        ("itextureBuffer", "uniform_texel_buffer"),
        ("uimageBuffer", "storage_texel_buffer"),
        ("image2D", "storage_image"),
        ("isubpassInputMS", "input_attachment"),
        ("accelerationStructureEXT", "acceleration_structure"),
        ("sampler2D[4]", "combined_image_sampler"),
        ("Scene", "uniform_buffer"),
        ("float", None),
        ("int", None),
        ("uint", None),
    ],
)
def test_descriptors(kind: str, wanted: str | None) -> None:
    assert descriptor(kind, {"Scene"}) == wanted


def layout_of(folder: Path, contents: dict[str, Any], suffix: str = "frag") -> Any:
    contents["shader.json"]["target"] = f"shader.{suffix}"
    result = run(folder, contents)
    assert result.exit_code == 0, result.stderr
    return json.loads((folder / "out" / "shader_pipeline.json").read_text())


@pytest.mark.parametrize(
    ("suffix", "stage"),
    [("frag", "fragment_bit"), ("vert", "vertex_bit"), ("comp", "compute_bit")],
)
def test_uniforms_get_the_next_set(tmp_path: Path, suffix: str, stage: str) -> None:
    contents = files()
    contents["shader.json"]["uniforms"] = [
        variable("sampler2D", "images[3]"),
        variable("Scene", "scenes[2]"),
    ]
    contents["shader.json"]["types"] = [{"name": "Scene", "members": [variable("vec4", "a")]}]
    contents["template.json"]["pipelineLayout"] = "layout.json"
    contents["layout.json"] = {"renderSlot": "x", "descriptorSetLayouts": [{"set": 1}]}
    found = layout_of(tmp_path, contents, suffix)
    shared = {"shaderStageFlags": stage}
    assert found["descriptorSetLayouts"] == [
        {"set": 1},
        {
            "set": 2,
            "bindings": [
                {
                    "binding": 0,
                    "descriptorCount": 3,
                    **shared,
                    "descriptorType": "combined_image_sampler",
                },
                {"binding": 1, "descriptorCount": 1, **shared, "descriptorType": "uniform_buffer"},
            ],
        },
    ]
    shader = (tmp_path / "out" / f"shader.{suffix}").read_text()
    assert "layout(set=2, binding=1) uniform u_scenes{ Scene scenes[2]; };\n" in shader


def test_a_layout_without_sets_gets_them(tmp_path: Path) -> None:
    contents = files()
    contents["shader.json"]["uniforms"] = [variable("sampler2D", "image")]
    contents["template.json"]["pipelineLayout"] = "layout.json"
    contents["layout.json"] = {"name": "x"}
    assert [s["set"] for s in layout_of(tmp_path, contents)["descriptorSetLayouts"]] == [0]


def test_escapes_mean_what_they_say(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(r'{"a": "\"\\\n\u00e4\ud83d\ude00\/", "b": [1, -2.5e1, true]}')
    node = read(tmp_path / "a.json")
    assert node.get("a") is not None and node.string("a") == '"\\\nä😀/'
    assert [item.value for item in node.array("b")] == [1, -25.0, True]
    assert dumped({"a": ['"\\\n', 1]}) == '{"a":["\\"\\\\\\u000a",1]}'


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        '{"a" 1}',
        '{"a": 1,}',
        "[1 2]",
        "[1] 2",
        "01",
        "1.",
        "+1",
        "nul",
        '"\t"',
        '"\\x"',
        "'a'",
        "// c\n1",
        "NaN",
        "1e999",
        "9" * 5000,
        "[" * 5000,
        '{"a":' * 5000,
        "\ufeff1",
    ],
)
def test_what_is_not_json_is_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.json").write_text(content, encoding="utf-8")
    with pytest.raises(LumaError, match="E0846"):
        read(tmp_path / "a.json")


def test_bytes_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'"\xff"')
    with pytest.raises(LumaError, match="E0846"):
        read(tmp_path / "a.json")


def test_a_template_in_another_encoding_is_kept(tmp_path: Path) -> None:
    contents = files()
    write(tmp_path, contents)
    latin = TEMPLATE.replace("void main", "// gr\xfcn\nvoid main").encode("latin-1")
    (tmp_path / "template.h").write_bytes(latin)
    del contents["template.h"]
    assert run(tmp_path, contents, "--check").exit_code == 0
    assert b"// gr\xfcn\n" in (tmp_path / "out" / "shader.frag").read_bytes()


def test_an_output_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("in the way")
    (found,) = told(tmp_path, files())
    assert found["code"] == "E0808"
