"""The WGSL of the test shaders, as a person reviewed it: ``tests/out/wgsl``.

``LUMA_UPDATE_GOLDEN=1 pytest tests/backends/test_wgsl_golden.py`` writes the files anew; the
difference is then for a person to read.  The shaders are not optimized: what the printer does
shows best so.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from luma.backends import EmitOptions
from luma.backends.wgsl import BACKEND

from tests.backends.test_wgsl_files import FILES, REFUSED
from tests.harness.compile import optimized

GOLDEN = Path(__file__).parents[1] / "out" / "wgsl"
NAMES = [name for name in FILES if name not in REFUSED]


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str) -> None:
    text = BACKEND.emit(optimized(name, None, "none"), EmitOptions()).output.decode()
    path = GOLDEN / f"{Path(name).stem}.wgsl"
    if os.environ.get("LUMA_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_no_golden_file_is_left_over() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == {f"{Path(n).stem}.wgsl" for n in NAMES}
