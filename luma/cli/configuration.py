"""The part of a project's ``pyproject.toml`` that is about Luma."""

from __future__ import annotations

from pathlib import Path

from luma.cli.files import STANDARD
from luma.diagnostics import LumaError
from luma.pipeline import error


def configured_rules(source: str) -> tuple[str, ...]:
    """The rule files that the nearest ``pyproject.toml`` names: ``rules`` in ``[tool.luma]``.

    It is looked for beside the source and in the folders above; paths are relative to it.  Raises
    LumaError (E0914) if it is malformed.
    """
    start = Path.cwd() if source == STANDARD else Path(source).absolute().parent
    for folder in (start, *start.parents):
        place = folder / "pyproject.toml"
        if place.is_file():
            return tuple(_relative(folder / name) for name in _rules(place))
    return ()


def _rules(place: Path) -> list[str]:
    import tomllib

    try:
        found = tomllib.loads(place.read_text(encoding="utf-8"))
        rules = found.get("tool", {}).get("luma", {}).get("rules", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, AttributeError) as fault:
        raise LumaError([error("E0914", f"cannot read '{place}': {fault}")]) from None
    if not isinstance(rules, list) or not all(isinstance(r, str) for r in rules):
        problem = f"'rules' of [tool.luma] in '{place}' is no list of paths"
        raise LumaError([error("E0914", problem, 'write rules = ["rules/project.egg"]')])
    return rules


def _relative(path: Path) -> str:
    """The path as seen from here, where it is below."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
