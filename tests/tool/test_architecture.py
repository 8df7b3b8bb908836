"""The rooms import downward only, and heavy libraries load only where they are used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: Room -> the rooms it may import (itself always).
MAY_IMPORT = {
    "source": set(),
    "diagnostics": {"source"},
    "codes": set(),
    "stack": set(),
    "language": set(),
    "frontend": {"language", "source", "diagnostics", "codes"},
    "ir": {"frontend.typed", "language", "source", "diagnostics"},
    "rules": set(),
    "optimizer": {"ir", "language", "frontend.typed", "rules", "source", "diagnostics", "stack"},
    "backends": {"ir", "language", "frontend.typed", "source", "diagnostics", "codes"},
    "reflection": {"ir", "language", "frontend.typed"},
    "vulkan": {"ir", "language"},
    "validation": {"diagnostics", "ir"},
    "lume": {"backends", "source", "diagnostics"},
}

#: Library -> the files that may import it.
OWNERS = {
    "egglog": {"luma/optimizer/egraph.py"},
    "networkx": {"luma/ir/cfg.py"},
    "numpy": {
        f"luma/optimizer/rulefiles/{name}.py"
        for name in ("arrays", "drawing", "machine", "meaning", "sampling", "truth")
    },
    "z3": {"luma/optimizer/rulefiles/proof.py"},
    "watchfiles": {"luma/lume/monitor.py"},
    "click": {str(p.relative_to(ROOT)) for p in (ROOT / "luma/cli").glob("*.py")},
}


def _files() -> list[Path]:
    return sorted(p for top in ("luma", "rules", "backends") for p in (ROOT / top).rglob("*.py"))


def _module(path: Path) -> str:
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[0] in ("rules", "backends"):
        parts.insert(0, "luma")
    return ".".join(p for p in parts if p != "__init__")


def _imports(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


@pytest.mark.parametrize("path", _files(), ids=_module)
def test_imports_go_downward(path: Path) -> None:
    room = [*_module(path).split("."), ""][1]
    if room not in MAY_IMPORT:
        return  # the top rooms (pipeline, cli, the package itself) may import any
    allowed = MAY_IMPORT[room] | {room}
    for name in _imports(path):
        if name.startswith("luma."):
            rest = name.removeprefix("luma.")
            assert any(rest == a or rest.startswith(a + ".") for a in allowed), (
                f"{room} must not import {name}"
            )


@pytest.mark.parametrize("path", _files(), ids=_module)
def test_libraries_have_one_owner(path: Path) -> None:
    for name in _imports(path):
        library = name.split(".")[0]
        if library in OWNERS:
            assert str(path.relative_to(ROOT)) in OWNERS[library], f"{path} imports {library}"


def test_checking_loads_no_heavy_library() -> None:
    program = (
        "import sys, luma; c = luma.check(luma.parse('function _f() -> int return 1 end'));"
        "assert c.tree is not None, c.diagnostics;"
        "print([m for m in ('egglog', 'networkx', 'click', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_the_package_says_nothing_of_where_it_was_made() -> None:
    for path in _files():
        assert str(ROOT) not in path.read_text(), path
