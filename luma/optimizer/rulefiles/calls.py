"""Terms for calls of a shader's own functions: how rules write them, and which they name."""

from __future__ import annotations

from luma.optimizer.schema import CONSTRUCTORS

#: How rules write the call of a function: ``(Call t "name" x y)``.
CALL = "Call"


def spelled(arguments: int) -> str | None:
    """The constructor of calls with so many arguments, None if there is none."""
    name = f"{CALL}{arguments}"
    return name if name in CONSTRUCTORS else None
