"""Putting the chosen nodes back into blocks, by dominance.

A value may stand anywhere between the highest block where its operands are known and the nearest
block that dominates all its uses.  Of these the one in the fewest loops is taken, the lowest among
equals: so invariants leave loops, and what only one arm of a branch needs sinks into it.
"""

from __future__ import annotations

from collections.abc import Iterable

from luma.ir.cfg import Dominance
from luma.optimizer.extract import Choice, postorder
from luma.optimizer.schema import PART, pinned_block

#: Nodes that stay where their user is, as they cost nothing there and say what it does.
_NOT_PLACED = frozenset({"Leaf", "Cons", "Nil"})


def place(
    choice: Choice,
    early: list[int | None],
    roots: Iterable[tuple[int, int]],
    dominance: Dominance,
    loops: dict[int, int],
) -> dict[int, int]:
    """The block of each class that becomes an instruction, operands before users.

    ``roots`` are classes with the block that needs them, ``early`` the highest blocks where they
    can be, ``loops`` how many loops each block is in.
    """
    pairs = list(roots)
    order = postorder(choice, (c for c, _ in pairs))
    late: dict[int, int] = {}

    def use(c: int, block: int) -> None:
        known = late.get(c)
        late[c] = block if known is None else dominance.common(known, block)

    for c, block in pairs:
        use(c, block)
    outside = _outside(dominance, loops)
    homes: dict[int, int] = {}
    for c in reversed(order):
        node = choice[c]
        assert node is not None
        if node.constructor in ("Leaf", PART):
            continue
        home = pinned_block(node)
        if home is None:
            home = late[c]
            if node.constructor not in _NOT_PLACED:
                home = _outermost(home, early[c], dominance, outside)
        homes[c] = home
        for kid in node.kids:
            use(kid, home)
    return {c: homes[c] for c in order if c in homes}


def _outside(dominance: Dominance, loops: dict[int, int]) -> dict[int, int | None]:
    """The nearest dominator of each block that is in fewer loops."""
    found: dict[int, int | None] = {}
    for block, parent in dominance.idom.items():  # dominators come first
        while parent is not None and loops[parent] >= loops[block]:
            parent = found[parent]
        found[block] = parent
    return found


def _outermost(
    late: int, early: int | None, dominance: Dominance, outside: dict[int, int | None]
) -> int:
    assert early is not None  # what is placed can be somewhere, and early dominates late
    best = late
    while (block := outside[best]) is not None and dominance.dominates(early, block):
        best = block
    return best
