"""What the nodes of both trees are made with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False)
def node(cls: type[T]) -> type[T]:
    """Make a dataclass with slots, compared by identity, whose fields nobody sets anew.

    Type checkers see to that.  Python could (``frozen``), but making a class and its instances
    would take three times as long, and there are many of both at every start.
    """
    return dataclass(slots=True, eq=False, repr=False)(cls)
