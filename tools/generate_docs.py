"""Write the documentation pages that are made from tables: docs/builtins.md."""

from __future__ import annotations

import sys
from pathlib import Path

from luma.language.builtins import ALIASES, FUNCTIONS, OPERATIONS, Operation

PAGE = Path(__file__).parent.parent / "docs" / "builtins.md"

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


def main() -> None:
    """Write the page, or with ``--check`` exit with 1 if it is out of date."""
    if "--check" in sys.argv[1:]:
        sys.exit(0 if PAGE.read_text() == builtins_page() else 1)
    PAGE.write_text(builtins_page())


if __name__ == "__main__":
    main()
