"""The part of a project's ``pyproject.toml`` that is about Luma."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from luma.cli.files import STANDARD
from luma.diagnostics import LumaError
from luma.faults import error

#: What ``[tool.luma]`` may hold.
KEYS = ("rules",)


def configured_rules(source: str) -> tuple[str, ...]:
    """The rule files that the nearest ``pyproject.toml`` names: ``rules`` in ``[tool.luma]``.

    It is looked for beside the source and in the folders above; paths are relative to it.  Raises
    LumaError (E0914) if it is malformed or names what is no file.
    """
    start = _folder_of(source)
    for folder in (start, *start.parents) if start is not None else ():
        place = folder / "pyproject.toml"
        if place.is_file():
            return tuple(_rule_file(place, name) for name in _rules(place))
    return ()


def _folder_of(source: str) -> Path | None:
    """The folder that a source lies in; None if that is gone."""
    try:
        return Path.cwd() if source == STANDARD else Path(source).absolute().parent
    except FileNotFoundError:
        return None


def _rules(place: Path) -> list[str]:
    """The paths as they stand in the file."""
    found = _settings(place)
    unknown = next((key for key in found if key not in KEYS), None)
    if unknown is not None:
        raise _malformed(f"[tool.luma] has no '{unknown}'", f"it can have {', '.join(KEYS)}", place)
    rules = found.get("rules", [])
    if not isinstance(rules, list) or not all(isinstance(r, str) for r in rules):
        advice = 'write rules = ["rules/project.egg"]'
        raise _malformed("'rules' of [tool.luma] is no list of paths", advice, place)
    return rules


def _settings(place: Path) -> dict[str, Any]:
    """The table ``[tool.luma]``, empty if there is none."""
    import tomllib

    found: dict[str, Any]
    try:
        found = tomllib.loads(place.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as fault:
        raise _malformed(f"it cannot be read: {fault}", None, place) from None
    for name in ("tool", "luma"):
        found = found.get(name, {})
        if not isinstance(found, dict):
            raise _malformed(f"'{name}' is no table", "write [tool.luma]", place)
    return found


def _rule_file(place: Path, name: str) -> str:
    """The path of a rule file, as seen from here where it is below."""
    path = place.parent / name
    if "\0" in name or not path.is_file():
        advice = "paths are relative to pyproject.toml"
        raise _malformed(f"there is no rule file {name!r}", advice, place)
    with suppress(ValueError, FileNotFoundError):
        path = path.relative_to(Path.cwd())
    return str(path)


def _malformed(problem: str, advice: str | None, place: Path) -> LumaError:
    return LumaError([error("E0914", f"in '{place}': {problem}", advice)])
