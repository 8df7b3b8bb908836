"""The engine's own snippet compiler, observed: the same inputs give the same files and statuses.

Each case has a tool's arguments, its exit status, what it printed on standard output, its inputs
and the files it wrote.  Where Luma does otherwise on purpose, the reason stands here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from luma.cli import lume
from luma.cli.lume_snippets import snippets

CASES = sorted((Path(__file__).parent / "snippet_cases").glob("*.json"))

CRASHES = "the engine's tool crashes"
FAILS = "a shader that cannot be made fails the build; the engine's tool exits with 0"
LISTED = "uniforms are in the layout even if the template has none"
TYPES = "all types of resources get their descriptors, arrays their count"

#: Status, and the files that differ, by case; each with the reason.
STATUSES = {
    "array_top": FAILS,
    "badgroup": CRASHES,
    "badjson": FAILS,
    "blocks_missing": FAILS,
    "bom": FAILS,
    "case_sens": CRASHES,
    "decl_B_then_A_A": CRASHES,
    "decl_tag_other_group": CRASHES,
    "func_A_missing_in_list": FAILS,
    "func_nl_between": FAILS,
    "layout_full": "the engine has four sets",
    "layout_missingfile": FAILS,
    "layout_unordered": "the engine has four sets",
    "no_decl_tag_uniform": FAILS,
    "no_func_tag": FAILS,
    "nofunction": FAILS,
    "noname": FAILS,
    "snip_badjson": FAILS,
    "src_missing": FAILS,
    "srcfile_missing": FAILS,
    "target_missing": FAILS,
    "tb_dupname": FAILS,
    "tb_missingfile": FAILS,
    "tb_noname": FAILS,
    "tb_notobj": FAILS,
    "template_tmissing": FAILS,
    "tokens": CRASHES,
    "two_tags": CRASHES,
    "two_tags_B": CRASHES,
    "two_tags_rev": CRASHES,
}

OUTPUTS = {
    "crlf": LISTED,
    "decl_B_then_A_A": CRASHES,
    "indented_decl": LISTED,
    "input_is_uniform_member": LISTED,
    "layout_alluniforms": TYPES,
    "layout_full": "the engine has four sets",
    "layout_unordered": "the engine has four sets",
    "no_trailing_nl": "a snippet without a line end gets one",
    "tag_first_line": LISTED,
    "target_subdir": "directories of outputs are made",
    "target_vert": "a vertex shader's uniforms are for the vertex stage",
    "template_types": "a uniform of a template's struct is wrapped in a block, as GLSL needs",
    "template_types_dup": LISTED,
    "two_tags": CRASHES,
    "two_tags_B": CRASHES,
    "two_tags_rev": CRASHES,
    "uniform_array": TYPES,
    "uniforms_5_first": LISTED,
    "uniforms_notype_first": LISTED,
    "uniforms_partial": LISTED,
    "val_input_number": "a number is a value",
}

#: The reasons for which only the pipeline layout may differ, not the shader.
LAYOUT_ONLY = {LISTED, TYPES, OUTPUTS["target_vert"]}

#: The order in which a directory is gone through is sorted; the engine's tool takes the disk's.
UNORDERED = {"scan_order"}


@dataclass(frozen=True, slots=True)
class Outcome:
    status: int
    stdout: str
    outputs: dict[str, str]


def shaders_of(outcome: Outcome) -> dict[str, str]:
    return {n: t for n, t in outcome.outputs.items() if not n.endswith("_pipeline.json")}


def load(path: Path) -> tuple[list[str], dict[str, str], Outcome]:
    case = json.loads(path.read_text(encoding="utf-8"))
    wanted = Outcome(case["status"], case["stdout"], case["outputs"])
    return case["arguments"], case["inputs"], wanted


def run(
    arguments: list[str],
    inputs: dict[str, str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Outcome:
    for name, content in inputs.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode())
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.argv", ["LumeSnippetCompiler", *arguments])
    with pytest.raises(SystemExit) as left:
        lume.snippet_compiler()
    made = {
        str(p.relative_to(folder)): p.read_bytes().decode()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and str(p.relative_to(folder)) not in inputs
    }
    status = left.value.code
    assert isinstance(status, int)
    return Outcome(status, capsys.readouterr().out, made)


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_case(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments, inputs, wanted = load(path)
    got = run(arguments, inputs, tmp_path, monkeypatch, capsys)
    name = path.stem
    assert (got.outputs == wanted.outputs) == (name not in OUTPUTS), got.outputs
    assert (got.status == wanted.status) == (name not in STATUSES), got.status
    if OUTPUTS.get(name) in LAYOUT_ONLY:
        assert shaders_of(got) == shaders_of(wanted)
    if STATUSES.get(name) == FAILS:
        assert got.status == 1
    if wanted.status >= 0:
        put = sorted if name in UNORDERED else list
        assert put(got.stdout.splitlines(True)) == put(wanted.stdout.splitlines(True))


def test_every_exception_is_of_a_case() -> None:
    names = {path.stem for path in CASES}
    assert len(names) > 100
    assert {*STATUSES, *OUTPUTS, *UNORDERED} <= names


def test_the_arguments_are_those_of_the_command() -> None:
    assert {p.name for p in snippets.params} >= {"source", "source_file", "destination"}
