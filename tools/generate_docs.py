"""Write the documentation pages that are made from tables: builtins.md and targets.md."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from luma import backends
from luma.language.builtins import ALIASES, FUNCTIONS, OPERATIONS, Operation

DOCS = Path(__file__).parent.parent / "docs"

HEAD = """\
# Builtin functions

Made by `tools/generate_docs.py` from the table in `luma/language/builtins.py`.

In a signature `F` is float or half or a vector of them, `V` such a vector, `N` any number or
vector of numbers, `S` the same without uint, `I` an int or uint or a vector of them, `B` bool or a
bool vector, `X` a bool vector, `A` any scalar or vector, `M` a matrix, `Q` a square one. Equal
letters are equal types; `F~` may be a scalar beside vectors. `T` is a texture of colours, `D` one
of depths, `E` either; `s` a sampler, `c` a comparison sampler. A combined sampler stands for
`T, s` or `D, c`.
`coord` are a texture's coordinates (with the layer of an array last), `texel` the same as ints.

"""


def builtins_page() -> str:
    """The text of docs/builtins.md."""
    lines = [HEAD, "| function | signature | what it gives | stages |\n|---|---|---|---|\n"]
    for name in sorted(FUNCTIONS):
        lines.append(_line(name))
    return "".join(lines)


def _line(name: str) -> str:
    alias = ALIASES.get(name)
    row: Operation = OPERATIONS[alias.operation if alias else name]
    signature, doc = row.signature, row.doc
    if alias and alias.negated:
        doc = f"not {alias.operation}(x)"
    elif alias:
        signature = signature.replace("N", "V") + ", vectors only"
    stages = ", ".join(row.stages) or "all"
    return f"| `{name}` | `{signature}` | {doc.replace('|', chr(92) + '|')} | {stages} |\n"


TARGETS = {"glsl": "GLSL 450", "hlsl": "HLSL SM6", "msl": "MSL 2.4", "wgsl": "WGSL",
           "spirv": "SPIR-V 1.3"}  # fmt: skip

TARGETS_HEAD = """\
# Target notes

Made by `tools/generate_docs.py` from the limits that the backends state.

A feature that is not in the table is the same on every target. Where a cell is empty, the target
has the feature as the language describes it. What a target cannot do is an error of the
compilation, never a silent fallback; the [error codes](errors.md) tell more.

Memory is byte for byte the same everywhere: std140 for uniforms, std430 for buffers and push
constants. Where a target's own packing differs, its types are padded or its elements wrapped.
`luma reflect --target NAME` prints what a target calls each thing and where it binds it.

"""


def targets_page() -> str:
    """The text of docs/targets.md."""
    limits = {t: _limits(t) for t in TARGETS}
    features = sorted({f for found in limits.values() for f in found}, key=_sorting)
    lines = [TARGETS_HEAD, f"| feature | {' | '.join(TARGETS.values())} |\n"]
    lines.append("|---" * (len(TARGETS) + 1) + "|\n")
    for feature in features:
        cells = (_cell(limits[t].get(feature, "")) for t in TARGETS)
        lines.append(f"| {_cell(feature)} | {' | '.join(cells)} |\n")
    return "".join(lines)


def _limits(target: str) -> dict[str, str]:
    path, _, _ = backends.BUILT_IN[target].partition(":")
    return {limit.feature: limit.outcome for limit in import_module(path).LIMITS}


def _sorting(feature: str) -> str:
    return feature.lstrip("@").lower()


def _cell(text: str) -> str:
    """Text for a cell of a table, the language's names in it as code."""
    return text.replace("|", "\\|")


#: Each page with the function that gives its text.
PAGES = {"builtins.md": builtins_page, "targets.md": targets_page}


def main() -> None:
    """Write the pages, or with ``--check`` exit with 1 if one is out of date."""
    stale = []
    for name, text in PAGES.items():
        page = DOCS / name
        if "--check" not in sys.argv[1:]:
            page.write_text(text())
        elif not page.exists() or page.read_text() != text():
            stale.append(name)
    sys.exit(f"out of date: {', '.join(stale)}" if stale else 0)


if __name__ == "__main__":
    main()
