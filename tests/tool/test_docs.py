"""The documentation is true: shaders check, Python runs, generated pages are current."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import luma

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _blocks(language: str) -> list[pytest.ParameterSet]:
    found = []
    for page in PAGES:
        if page.name == "errors.md":  # shaders with errors on purpose; tested with the codes
            continue
        text = page.read_text()
        for match in BLOCK.finditer(text):
            if match[1] == language:
                line = text.count("\n", 0, match.start()) + 1
                found.append(pytest.param(match[2], id=f"{page.name}:{line}"))
    return found


@pytest.mark.parametrize("source", _blocks("luma"))
def test_shaders_in_the_documentation_check(source: str) -> None:
    checked = luma.check(luma.parse(source))
    assert checked.tree is not None, "\n".join(d.render() for d in checked.diagnostics)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a reader is: with the README's shader, and the examples."""
    shader = next(m[2] for m in BLOCK.finditer(PAGES[0].read_text()) if m[1] == "luma")
    (tmp_path / "shade.luma").write_text(shader)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_the_documentation_runs(page: Path, folder: Path) -> None:
    """From the top of a page to its end, with nothing that the page does not say."""
    names: dict[str, object] = {}
    for match in BLOCK.finditer(page.read_text()):
        if match[1] == "python":
            exec(compile(match[2], page.name, "exec"), names)


def _commands_of_the_readme() -> list[str]:
    blocks = (m[2] for m in BLOCK.finditer(PAGES[0].read_text()) if m[1] == "sh")
    return [line for block in blocks for line in block.splitlines() if line.startswith("luma ")]


@pytest.mark.parametrize("command", _commands_of_the_readme())
def test_commands_of_the_readme(command: str, folder: Path) -> None:
    from luma.cli.commands import luma as group

    done = CliRunner().invoke(group, shlex.split(command, comments=True)[1:])
    assert done.exit_code == 0 and done.stderr == "", done.stderr
    changes = {path.name for path in folder.iterdir()} - {"shade.luma", "examples"}
    assert changes == (
        {"shade.spv"} if "=spirv" in command else set(re.findall(r"\S+\.html", command))
    )


def test_the_rules_of_the_readme_change_its_example(folder: Path) -> None:
    from luma.cli.commands import luma as group

    command = next(line for line in _commands_of_the_readme() if "--rules" in line)
    words = shlex.split(command)[1:]
    plain = words[: words.index("--rules")]
    made = [CliRunner().invoke(group, arguments).stdout for arguments in (words, plain)]
    assert made[0] != made[1]


def test_first_command_of_the_readme(tmp_path: Path) -> None:
    """Its compiling part gives an output for each target and entry point."""
    command = next(m[2] for m in BLOCK.finditer(PAGES[0].read_text()) if m[1] == "sh")
    loop = "for " + command.partition("&& for ")[2]
    script = loop.replace(".venv/bin/luma", f"{sys.executable} -m luma")
    script = script.replace("examples/", f"{ROOT}/examples/")
    done = subprocess.run(["bash", "-ec", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == ""
    made = sorted(str(p.relative_to(tmp_path / "pbr")) for p in (tmp_path / "pbr").rglob("*.*"))
    suffixes = {"glsl": "glsl", "hlsl": "hlsl", "msl": "metal", "spirv": "spv", "wgsl": "wgsl"}
    expected = [f"{t}/{e}.{suffixes[t]}" for t in suffixes for e in ("place", "shade")]
    assert made == sorted(expected)


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_generated_pages_are_current() -> None:
    generator = ROOT / "tools" / "generate_docs.py"
    done = subprocess.run([sys.executable, str(generator), "--check"])
    assert done.returncode == 0, "run make docs"


def test_command_line_page_names_every_option() -> None:
    from luma.cli.commands import luma as group

    for name, command in _commands(group, click.Context(group, info_name="luma")):
        page = (ROOT / "docs" / ("lume.md" if "lume" in name.split() else "cli.md")).read_text()
        assert name in page
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("-"):
                    assert option in page, option


def _commands(group: click.Group, within: click.Context) -> Iterator[tuple[str, click.Command]]:
    """Every command under a group, by its full name."""
    for name in group.list_commands(within):
        command = group.get_command(within, name)
        assert command is not None
        inside = click.Context(command, parent=within, info_name=name)
        yield inside.command_path, command
        if isinstance(command, click.Group):
            yield from _commands(command, inside)
