"""The MSL of the test shaders, as a person reviewed it: ``tests/out/msl``.

``LUMA_UPDATE_GOLDEN=1 pytest tests/backends/test_msl_golden.py`` writes the files anew; the
difference is then for a person to read.  The shaders are not optimized: what the printer does
shows best so.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.backends.msl_support import text_of
from tests.harness.compile import optimized
from tests.run.test_whole_modules import FILES

GOLDEN = Path(__file__).parents[1] / "out" / "msl"


@pytest.mark.parametrize("name", FILES)
def test_golden(name: str) -> None:
    text = text_of(optimized(name, None, "none"))
    path = GOLDEN / f"{Path(name).stem}.metal"
    if os.environ.get("LUMA_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_no_golden_file_is_left_over() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == {f"{Path(n).stem}.metal" for n in FILES}
