"""Compile a folder of shaders as an asset build would: SPIR-V and its reflection, side by side.

Run as ``python examples/asset_build.py examples /path/for/output``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import luma


def build(source: Path, folder: Path) -> bool:
    """Compile one file into ``folder``, show what is wrong with it, tell whether it is fine."""
    text = source.read_bytes()
    result = luma.compile(text, target="spirv", opt="aggressive", name=str(source))
    for diagnostic in result.diagnostics:
        print(diagnostic.render(), file=sys.stderr)
    if not result.success:
        return False
    (folder / source.with_suffix(".spv").name).write_bytes(result.output)
    told = luma.reflect(text, str(source), spirv=True)
    (folder / source.with_suffix(".json").name).write_text(json.dumps(told, indent=2))
    return True


def main() -> None:
    """Build every shader of a folder; exit with 1 if one of them has errors."""
    sources, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    fine = [build(source, folder) for source in sorted(sources.glob("*.luma"))]
    sys.exit(0 if all(fine) else 1)


if __name__ == "__main__":
    main()
