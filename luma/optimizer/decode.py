"""From chosen, placed nodes back to a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from luma.ir.module import Block, Function, Instr, operands, with_operands
from luma.ir.shape import next_id
from luma.language.types import BOOL, VOID
from luma.optimizer.extract import Choice
from luma.optimizer.schema import CONSTRUCTORS, KEPT, MAX_ARGUMENTS, OPERANDS
from luma.optimizer.term import Graph, Node


def decode(
    function: Function,
    graph: Graph,
    choice: Choice,
    homes: dict[int, int],
    skeleton: dict[int, list[Instr]],
) -> Function:
    """The function with its pure values as chosen; what is in the skeleton stays in its order.

    A value keeps the number, name and place in the source of the first value it is equal to.
    """
    return _Decoder(function, graph, choice, homes, skeleton).run()


class _Decoder:
    def __init__(
        self,
        function: Function,
        graph: Graph,
        choice: Choice,
        homes: dict[int, int],
        skeleton: dict[int, list[Instr]],
    ) -> None:
        self.function, self.graph, self.choice = function, graph, choice
        self.homes, self.skeleton = homes, skeleton
        self.by_block: dict[int, list[int]] = {b.label: [] for b in function.blocks}
        for c, label in homes.items():
            self.by_block[label].append(c)
        self.ids = self._number()
        self.emitted: set[int] = set()
        self.out: list[Instr] = []

    # ------------------------------------------------------------ numbers and names

    def _number(self) -> dict[int, int]:
        """A number for the value of each class in use: the least of its values' numbers."""
        taken = self._defined_by_skeleton()
        members: dict[int, list[int]] = {}
        for id, c in self.graph.classes.items():
            members.setdefault(c, []).append(id)
        fresh = next_id(self.function)
        ids: dict[int, int] = {}
        self.names = {i: n for i, n in self.function.names.items() if i in taken}
        self.spans = {i: s for i, s in self.function.spans.items() if i in taken}
        for c, node in enumerate(self.choice):
            if node is None:
                continue
            if node.constructor == "Leaf":
                ids[c] = int(node.args[0])  # type: ignore[arg-type]
            elif c in self.homes:
                own = next((i for i in members.get(c, ()) if i not in taken), None)
                ids[c] = fresh if own is None else own
                fresh += own is None
            else:
                continue
            self._describe(ids[c], members.get(c, ()))
        return ids

    def _defined_by_skeleton(self) -> set[int]:
        taken = {p.id for p in self.function.params}
        for block in self.function.blocks:
            taken.update(p.id for p in block.params)
            taken.update(i.id for i in self.skeleton[block.label] if i.type != VOID)
        return taken

    def _describe(self, id: int, members: Iterable[int]) -> None:
        for table, source in (
            (self.names, self.function.names),
            (self.spans, self.function.spans),
        ):
            if id not in table:
                known = next((source[m] for m in members if m in source), None)
                if known is not None:
                    table[id] = known  # type: ignore[assignment]

    # ------------------------------------------------------------ blocks

    def run(self) -> Function:
        blocks = tuple(self._block(b) for b in self.function.blocks)
        return replace(self.function, blocks=blocks, names=self.names, spans=self.spans)

    def _block(self, block: Block) -> Block:
        """What stays, and what is placed here: as far as can be in the order it was."""
        self.out = []
        label, kept = block.label, iter(self.skeleton[block.label])
        stays = next(kept, None)
        for instr in block.instrs:
            if instr is stays:
                self.out.append(replace(instr, args=self._demand_all(instr.args, label)))
                stays = next(kept, None)
            elif self.ids.get(c := self.graph.classes[instr.id]) == instr.id:
                self._demand(c, label)
        last = self._demand_all(operands(block.terminator), label)
        for c in self.by_block[label]:  # what only later blocks need
            self._demand(c, label)
        terminator = with_operands(block.terminator, last)
        return replace(block, instrs=tuple(self.out), terminator=terminator)

    def _demand_all(self, values: tuple[int, ...], label: int) -> tuple[int, ...]:
        return tuple(self._demand(self.graph.classes[v], label) for v in values)

    def _demand(self, c: int, label: int) -> int:
        """Emit a class, and before it what it needs, if its place is here; its value's number."""
        stack = [c]
        while stack:
            top = stack[-1]
            if top in self.emitted or self.homes.get(top) != label:
                stack.pop()
                continue
            missing = [
                k
                for k in self._operands(top)
                if k not in self.emitted and self.homes.get(k) == label
            ]
            if missing:
                stack.extend(reversed(missing))
                continue
            stack.pop()
            self.emitted.add(top)
            self._emit(top)
        return self.ids[c]

    # ------------------------------------------------------------ nodes

    def _chosen(self, c: int) -> Node:
        node = self.choice[c]
        assert node is not None
        return node

    def _operands(self, c: int) -> list[int]:
        """The classes whose values the class's instruction takes, in order."""
        node = self._chosen(c)
        if node.constructor in ("Cons", "Nil"):
            return []
        if node.constructor == "Make":
            return self._parts(node.kids[0])
        if node.constructor == "Neg" and self._is_zero(node.kids[0]):
            return []
        return [node.args[at] for at in OPERANDS[node.constructor]]  # type: ignore[misc]

    def _parts(self, c: int) -> list[int]:
        parts: list[int] = []
        node = self._chosen(c)
        while node.constructor == "Cons":
            head, rest = node.args
            parts.append(head)  # type: ignore[arg-type]
            node = self._chosen(rest)  # type: ignore[arg-type]
        return parts

    def _is_zero(self, c: int) -> bool:
        node = self._chosen(c)
        return node.constructor == "Lit" and node.args[0] == 0.0

    def _emit(self, c: int) -> None:
        node = self._chosen(c)
        if node.constructor in ("Cons", "Nil"):
            return
        op, imm = CONSTRUCTORS[node.constructor].op, _immediates(node)
        args = tuple(self.ids[k] for k in self._operands(c))
        if node.constructor in KEPT:
            op, imm = str(node.args[0]), ()
        if node.constructor == "Neg" and not args:
            op, imm = "const", (-0.0,)
        self.out.append(Instr(self.ids[c], op, node.type, args, imm))


def _immediates(node: Node) -> tuple[bool | int | float | str | None, ...]:
    find = _IMMEDIATES.get(node.constructor)
    return () if find is None else find(node)


def _path(text: object) -> tuple[int | None, ...]:
    return tuple(None if word == "_" else int(word) for word in str(text).split())


def _numbers(node: Node) -> tuple[int, ...]:
    sorts = CONSTRUCTORS[node.constructor].sorts
    return tuple(a for s, a in zip(sorts, node.args, strict=True) if s == "I")  # type: ignore[misc]


def _integer(node: Node) -> tuple[bool | int]:
    value = node.args[0]
    assert isinstance(value, int)
    return (bool(value) if node.type == BOOL else value,)


_IMMEDIATES: dict[str, Callable[[Node], tuple[bool | int | float | str | None, ...]]] = {
    "Lit": lambda n: (n.args[0],),  # type: ignore[dict-item,return-value]
    "Int": _integer,
    "Spec": lambda n: (str(n.args[0]),),
    "Global": lambda n: (str(n.args[0]),),
    **dict.fromkeys((f"Call{n}" for n in range(MAX_ARGUMENTS)), lambda n: (str(n.args[0]),)),
    **dict.fromkeys(("AccessA", "AccessB", "AccessC", "AccessD"), lambda n: _path(n.args[1])),
    **dict.fromkeys(("Extract", "Insert", "Swz2", "Swz3", "Swz4"), _numbers),
    "PickAt": lambda n: (None,),
    "InsertPath": lambda n: _path(n.args[1]),
    "ShuffleTwo": lambda n: _path(n.args[4]),
}
