"""Nothing of the language's table goes without an execution case."""

from __future__ import annotations

import re

from luma.language.builtins import ALIASES, OPERATIONS
from luma.language.stages import BUILTIN_VALUES
from luma.language.types import NAMED_TYPES
from tests.harness.cases import discover, includes, read_source, shader_files
from tests.run.cases import linear, memory, operators, textures


def test_every_operation_has_a_case() -> None:
    """Of the operators and the builtin functions."""
    covered = " ".join(module.COVERED for module in (linear, memory, operators, textures)).split()
    missing = [name for name in (*OPERATIONS, *ALIASES) if name not in covered]
    assert missing == []


def _words() -> set[str]:
    text = "".join(
        read_source(s)[0] for c in discover() for s in (c.source, c.fragment_source or "")
    )
    return set(re.findall(r"\w+", text))


def test_every_type_occurs_in_a_case() -> None:
    """Vectors, matrices, textures and samplers of every kind."""
    words = _words()
    square = {f"mat{n}x{n}" for n in (2, 3, 4)}  # a second name of mat2, mat3, mat4
    assert [name for name in NAMED_TYPES if name not in words | square] == []


def test_every_builtin_value_occurs_in_a_case() -> None:
    """Except the sample's number, which would ask for a multisampled target."""
    words = _words()
    missing = [value.name for value in BUILTIN_VALUES if value.name not in words]
    assert missing == ["sample_id"]


def test_every_include_is_used() -> None:
    """By a shader file; those are run by cases or at least judged on every target."""
    files = (*shader_files().values(), *includes())
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    assert [path.name for path in includes() if f'{path.name}"' not in text] == []
