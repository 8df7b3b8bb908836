"""Terms for calls of a shader's own functions: how rules write them, and which they name."""

from __future__ import annotations

from dataclasses import dataclass

from luma.optimizer.schema import CONSTRUCTORS


@dataclass(slots=True)
class Blocks:
    """The variables for the blocks that the calls in one rule are bound to.

    Each call on the left has its own; what the right side calls (once ``matched``) is called where
    the first of the left was.
    """

    count: int = 0
    matched: bool = False

    def name(self) -> str:
        """The variable of the next call."""
        if self.matched:
            return "_b0"
        self.count += 1
        return f"_b{self.count - 1}"


#: How rules write the call of a function: ``(Call t "name" x y)``.
CALL = "Call"


def spelled(arguments: int) -> str | None:
    """The constructor of calls with so many arguments, None if there is none."""
    name = f"{CALL}{arguments}"
    return name if name in CONSTRUCTORS else None
