"""Shaders made of a template and snippets, as the engine's LumeSnippetCompiler makes them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from luma.diagnostics import Diagnostic, Level, LumaError
from luma.lume.problems import MEMBER, SOURCE, failure
from luma.lume.snippets.compare import mismatches
from luma.lume.snippets.config import Warnings, config, is_config
from luma.lume.snippets.json_text import read
from luma.lume.snippets.layout import pipeline, uniform_set
from luma.lume.snippets.weave import Woven, weave


@dataclass(frozen=True, slots=True)
class Made:
    """What became of a file.

    ``outputs`` are the files to write, by their path below the destination; ``shader`` is the text
    even if it has nowhere to go.  A file that configures no shader is ``skipped``.
    """

    path: Path
    outputs: dict[Path, bytes] = field(default_factory=dict)
    shader: Woven | None = None
    target: Path | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    skipped: bool = False

    @property
    def failed(self) -> bool:
        """Whether there are errors."""
        return any(d.level is Level.ERROR for d in self.diagnostics)


def scan(folder: Path) -> tuple[Path, ...]:
    """The JSON files in a directory, not below it, sorted.  Raises LumaError (E0850)."""
    if not folder.is_dir():
        raise failure(SOURCE, f"'{folder}' is not a directory")
    return tuple(sorted(folder / p.name for p in folder.iterdir() if _is_json(p)))


def _is_json(path: Path) -> bool:
    return path.name.endswith(".json") and path.is_file()


def make(path: Path, *, single: bool, strict: bool = False) -> Made:
    """Make the shader that a file configures.

    Other JSON is skipped, unless the file is the ``single`` one that was asked for; with ``strict``
    calls that do not match are errors.  Never raises for what is wrong with the files.
    """
    made = Made(path)
    warnings = Warnings()
    try:
        node = read(path)
        if not single and not is_config(node):
            return replace(made, skipped=True)
        found = config(node, warnings)
        for told in mismatches(found):
            error = replace(told, level=Level.ERROR, code=MEMBER)
            warnings.found.append(error if strict else told)
        number = uniform_set(found)
        shader = weave(found, number)
        made = replace(made, shader=shader)
        if found.target is None:
            raise LumaError([node.error("the configuration lacks 'target'")])
        target = Path(found.target)
        outputs = {
            target: shader.text.encode("utf-8", "surrogateescape"),
            layout_name(target): pipeline(found, number).encode("utf-8", "surrogateescape"),
        }
        made = replace(made, outputs=outputs, target=target)
    except LumaError as fault:
        warnings.found += fault.diagnostics
    made = replace(made, diagnostics=tuple(warnings.found))
    return replace(made, outputs={}) if made.failed else made


def layout_name(target: Path) -> Path:
    """Where the pipeline layout of a shader goes."""
    return target.with_name(target.stem + "_pipeline.json")
