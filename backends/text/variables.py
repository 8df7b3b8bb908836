"""Out of SSA: which values share one variable of the text.

A block parameter and the values that flow into it share a variable wherever their lives do not
overlap, so that ``s = s + x`` in a loop is an assignment and not a chain of copies.  A life is a
set of positions; a position is a block's start, a statement, a terminator or an edge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from luma.ir.module import Block, Branch, CondBranch, Instr, Return, successors

from .expressions import Form, Forms, defines


class Variables:
    """Maps each named value to its variable: the least value that shares it."""

    def __init__(self, forms: Forms, updates: frozenset[int]) -> None:
        self._forms = forms
        self._parent: dict[int, int] = {}
        self._members: dict[int, list[int]] = {}
        self._lives = _lives(forms, updates)
        self._fixed = {p.id for p in forms.function.params}
        self._names = dict(forms.function.names)

    def of(self, value: int) -> int:
        """The variable that holds a named value."""
        root = value
        while (above := self._parent.get(root, root)) != root:
            root = above
        return root

    def members(self, value: int) -> list[int]:
        """The values that share a value's variable, itself included."""
        root = self.of(value)
        return self._members.get(root, [root])

    def share(self, a: int, b: int) -> bool:
        """Let two named values share a variable if they can; tell whether they do."""
        if not (self._may_share(a) and self._may_share(b)):
            return False
        a, b = sorted((self.of(a), self.of(b)))
        if a == b:
            return True
        if self._forms.types[a] != self._forms.types[b]:
            return False
        if self._lives.get(a, 0) & self._lives.get(b, 0):
            return False
        name, other = self._names.get(a), self._names.get(b)
        if name is not None and other is not None and name != other:
            return False  # the author's two variables stay two
        self._members[a] = self._members.get(a, [a]) + self._members.pop(b, [b])
        self._parent[b] = a
        if name is None and other is not None:
            self._names[a] = other
        self._lives[a] = self._lives.get(a, 0) | self._lives.get(b, 0)
        return True

    def _may_share(self, value: int) -> bool:
        return value >= 0 and value not in self._fixed and self._forms.is_variable(value)


def assign(forms: Forms, updates: frozenset[int]) -> Variables:
    """Give every named value its variable.

    ``updates`` are the instructions whose text assigns to a part of the first operand's copy; they
    want the variable of that operand.
    """
    variables = Variables(forms, updates)
    names = forms.function.names
    moves = [
        move
        for block in forms.function.blocks
        for edge in successors(block.terminator)
        for move in live_moves(forms, edge)
    ]
    params = {param.id for block in forms.function.blocks for param in block.params}
    # A merge of a merge is one variable before anything else; then what has the same name.
    moves.sort(key=lambda m: (m[1] not in params, names.get(m[0]) != names.get(m[1])))
    for param, value in moves:
        variables.share(param, value)
    for instr in forms.function.instructions():
        if instr.id in updates and forms.is_variable(instr.id):
            variables.share(instr.args[0], instr.id)
    _share_reassigned(forms, variables)
    return variables


def _share_reassigned(forms: Forms, variables: Variables) -> None:
    """Let a value share the variable of its author's name that it replaces."""
    names = forms.function.names
    for block in forms.function.blocks:
        latest: dict[str, int] = {}
        for instr in block.instrs:
            name = names.get(instr.id)
            if name is None or not defines(instr) or not forms.is_variable(instr.id):
                continue
            read = sorted(leaf for a in instr.args for leaf in forms.leaves[a])
            for value in (latest.get(name), *read):
                if value is not None and names.get(value) == name:
                    variables.share(value, instr.id)
            latest[name] = instr.id


def live_moves(forms: Forms, edge: Branch) -> Iterator[tuple[int, int]]:
    """The parameters of an edge's target that are used, each with the value that it gets."""
    for param, value in zip(forms.blocks[edge.target].params, edge.args, strict=True):
        if forms.uses.get(param.id):
            yield param.id, value


# ---------------------------------------------------------------- lives


def _lives(forms: Forms, updates: frozenset[int]) -> dict[int, int]:
    """The positions at which each named value must keep its variable, as a bit set.

    Only of the values that may come to share one.
    """
    lives: dict[int, int] = {}
    position = 0
    wanted = _sharing(forms, updates)

    def occupy(values: Iterable[int]) -> None:
        nonlocal position
        here = 1 << position
        for value in values:
            if value in wanted:
                lives[value] = lives.get(value, 0) | here
        position += 1

    starts = _live_starts(forms)
    for block in forms.function.blocks:
        for edge in successors(block.terminator):
            occupy(starts[edge.target])
        live = _before_terminator(forms, block, starts)
        for instr in reversed(block.instrs):
            if not is_statement(forms, instr):
                continue
            during = live | {instr.id} if defines(instr) else set(live)
            if instr.id in updates and defines(instr):  # copied before its parts are read
                read = frozenset[int]().union(*(forms.leaves[a] for a in instr.args[1:]))
                during |= read - {instr.args[0]}
            occupy(during)
            _step_back(forms, instr, live)
        occupy(starts[block.label])
    return lives


def _sharing(forms: Forms, updates: frozenset[int]) -> set[int]:
    """The values that something may want to share a variable with."""
    wanted: set[int] = set()
    for block in forms.function.blocks:
        wanted.update(param.id for param in block.params)
        for edge in successors(block.terminator):
            wanted.update(edge.args)
    for update in updates:
        wanted |= {update, forms.instrs[update].args[0]}
    names = forms.function.names
    counts = Counter(names.values())
    wanted.update(value for value, name in names.items() if counts[name] > 1)
    return wanted


def is_statement(forms: Forms, instr: Instr) -> bool:
    """Whether an instruction is a statement of its own."""
    return not defines(instr) or forms.form[instr.id] in (Form.NAMED, Form.EFFECT)


def _step_back(forms: Forms, instr: Instr, live: set[int]) -> None:
    """Turn what lives after a statement into what lives before it."""
    if defines(instr):
        live.discard(instr.id)
    live.update(*(forms.leaves[a] for a in instr.args))


def _before_terminator(forms: Forms, block: Block, starts: dict[int, set[int]]) -> set[int]:
    live: set[int] = set()
    for edge in successors(block.terminator):
        passed = {param.id for param in forms.blocks[edge.target].params}
        live |= starts[edge.target] - passed
        live.update(*(forms.leaves[value] for _, value in live_moves(forms, edge)))
    match block.terminator:
        case CondBranch(cond=cond):
            live |= forms.leaves[cond]
        case Return(values):
            live.update(*(forms.leaves[value] for value in values))
    return live


def _live_starts(forms: Forms) -> dict[int, set[int]]:
    """What lives at the start of each block, its used parameters included."""
    blocks = forms.function.blocks
    starts: dict[int, set[int]] = {
        block.label: {p.id for p in block.params if forms.uses.get(p.id)} for block in blocks
    }
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            live = _before_terminator(forms, block, starts)
            for instr in reversed(block.instrs):
                if is_statement(forms, instr):
                    _step_back(forms, instr, live)
            live |= starts[block.label]
            if live != starts[block.label]:
                starts[block.label] = live
                changed = True
    return starts
