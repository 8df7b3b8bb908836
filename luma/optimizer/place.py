"""Putting the chosen nodes back into blocks, by dominance.

A value may stand anywhere between the highest block where its operands are known and the nearest
block that dominates all its uses.  Of these the one in the fewest loops is taken, the lowest among
equals: so invariants leave loops, and what only one arm of a branch needs sinks into it, unless it
shares a part with what other arms need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from itertools import islice

from luma.ir.cfg import Dominance
from luma.optimizer.extract import Choice, postorder
from luma.optimizer.schema import PART, pinned_block
from luma.optimizer.term import Node

#: Nodes that stay where their user is, as they cost nothing there and say what it does.
_NOT_PLACED = frozenset({"Leaf", "Cons", "Nil"})


def place(
    choice: Choice,
    early: list[int | None],
    roots: Iterable[tuple[int, int]],
    dominance: Dominance,
    loops: dict[int, int],
    written: Mapping[int, int],
) -> dict[int, int]:
    """The block of each class that becomes an instruction, operands before users.

    ``roots`` are classes with the block that needs them, ``early`` the highest blocks where they
    can be, ``loops`` how many loops each block is in, ``written`` where the source computes them.
    """
    placer = _Placer(choice, early, list(roots), dominance, loops)
    homes = placer.run({})
    held = placer.held(homes, written)
    return placer.run(held) if held else homes


class _Placer:
    def __init__(
        self,
        choice: Choice,
        early: list[int | None],
        roots: list[tuple[int, int]],
        dominance: Dominance,
        loops: dict[int, int],
    ) -> None:
        self.choice, self.early, self.roots, self.dominance = choice, early, roots, dominance
        self.outside = _outside(dominance, loops)
        self.order = postorder(choice, (c for c, _ in roots))

    def run(self, held: Mapping[int, int]) -> dict[int, int]:
        """The blocks; ``held`` are classes that must not sink below a block."""
        late: dict[int, int] = {}

        def use(c: int, block: int) -> None:
            known = late.get(c)
            late[c] = block if known is None else self.dominance.common(known, block)

        for c, block in (*self.roots, *held.items()):
            use(c, block)
        homes: dict[int, int] = {}
        for c in reversed(self.order):
            node = self._node(c)
            if node.constructor in ("Leaf", PART):
                continue
            home = pinned_block(node)
            if home is None:
                home = late[c]
                if node.constructor not in _NOT_PLACED:
                    home = _outermost(home, self.early[c], self.dominance, self.outside)
            homes[c] = home
            for kid in node.kids:
                use(kid, home)
        return {c: homes[c] for c in self.order if c in homes}

    def held(self, homes: Mapping[int, int], written: Mapping[int, int]) -> dict[int, int]:
        """What has sunk away from others that share a part with it, and where it was above all.

        Several arms would divide by the same number, where the source divides before the branch.
        """
        users: dict[int, list[int]] = {}
        for c in homes:
            for kid in self._node(c).kids:
                if self._node(kid).constructor == PART:
                    users.setdefault(kid, []).append(c)
        found: dict[int, int] = {}
        for sharers in users.values():
            top = reduce(self.dominance.common, (homes[c] for c in sharers))
            if all(homes[c] != top for c in sharers):
                above = (c for c in sharers if self._may_be(c, top, written))
                found.update(dict.fromkeys(islice(above, 1), top))
        return found

    def _may_be(self, c: int, block: int, written: Mapping[int, int]) -> bool:
        early, source = self.early[c], written.get(c)
        if early is None or source is None:
            return False
        dominates = self.dominance.dominates
        return dominates(early, block) and dominates(source, block)

    def _node(self, c: int) -> Node:
        node = self.choice[c]
        assert node is not None
        return node


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
