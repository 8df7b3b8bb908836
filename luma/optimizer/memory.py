"""Function-local memory: what is only read and written at known places becomes values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from luma.ir.cfg import by_label, predecessors, reverse_postorder
from luma.ir.module import (
    Block,
    Branch,
    Function,
    Instr,
    Param,
)
from luma.ir.shape import next_id, resolved, substitute, with_branches, zeros
from luma.language.types import (
    Pointer,
    Type,
    element,
    element_count,
)

Path = tuple[int, ...]

#: Where locals have more parts in use than this altogether, they stay in memory.
MAX_PARTS = 64


def promote(function: Function) -> Function:
    """The function with local memory turned into values where every index is a constant."""
    places = _places(function)
    if not places:
        return function
    promotion = _Promotion(function, places)
    return promotion.run() if len(promotion.variables) <= MAX_PARTS else function


@dataclass(frozen=True, slots=True)
class _Place:
    """A part of a local variable that is loaded and stored as a whole."""

    local: int
    path: Path
    type: Type


def _places(function: Function) -> dict[int, _Place]:
    """The place that each pointer into a promotable local names."""
    found: dict[int, _Place] = {}
    bad: set[int] = set()
    for instr in function.instructions():
        if instr.op == "local":
            assert isinstance(instr.type, Pointer)
            found[instr.id] = _Place(instr.id, (), instr.type.pointee)
        elif instr.op == "access" and instr.args[0] in found:
            base = found[instr.args[0]]
            assert isinstance(instr.type, Pointer)
            steps = tuple(i for i in instr.imm if isinstance(i, int))
            if len(steps) != len(instr.imm):
                bad.add(base.local)
            found[instr.id] = _Place(base.local, base.path + steps, instr.type.pointee)
        else:
            for place in [found[a] for a in instr.args if a in found]:
                if instr.op not in ("load", "store") or instr.args[0] not in found:
                    bad.add(place.local)
    return {p: place for p, place in found.items() if place.local not in bad}


def _leaves(type: Type, path: Path, used: set[Path]) -> Iterator[tuple[Path, Type]]:
    """The smallest parts that are needed: what no used path leads into."""
    if not any(len(u) > len(path) and u[: len(path)] == path for u in used):
        yield path, type
        return
    for at in range(element_count(type)):
        yield from _leaves(element(type, at), (*path, at), used)


class _Promotion:
    """Values for places: each block with several ways in takes them as parameters.

    Most of these parameters turn out redundant and are dropped by folding.
    """

    def __init__(self, function: Function, places: dict[int, _Place]) -> None:
        self.function, self.places = function, places
        self.fresh = next_id(function)
        self.variables = self._variables()
        self.same: dict[int, int] = {}
        self.names = dict(function.names)
        self.zeros: list[Instr] = []
        self.start = {v: self._zero(t) for v, t in self.variables.items()}

    def _variables(self) -> dict[tuple[int, Path], Type]:
        """What becomes a value: each smallest part of each local."""
        used: dict[int, set[Path]] = {}
        for instr in self.function.instructions():
            if instr.op in ("load", "store") and instr.args[0] in self.places:
                place = self.places[instr.args[0]]
                used.setdefault(place.local, set()).add(place.path)
        return {
            (local, path): type
            for local, paths in used.items()
            for path, type in _leaves(self.places[local].type, (), paths)
        }

    def _new(self) -> int:
        id, self.fresh = self.fresh, self.fresh + 1
        return id

    def _zero(self, type: Type) -> int:
        """A value for what is read before it is written."""
        self.zeros += zeros(type, self._new)
        return self.zeros[-1].id

    def run(self) -> Function:
        before = predecessors(self.function)
        reached = reverse_postorder(self.function)
        entry = reached[0]
        params: dict[int, tuple[Param, ...]] = {}
        leaving: dict[int, dict[tuple[int, Path], int]] = {}
        blocks = by_label(self.function)
        done: dict[int, Block] = {}
        for label in reached:
            if label == entry:
                values = dict(self.start)
                params[label] = ()
            elif len(before[label]) == 1:
                values = dict(leaving[before[label][0]])
                params[label] = ()
            else:
                params[label] = tuple(Param(self._new(), t) for t in self.variables.values())
                values = {v: p.id for v, p in zip(self.variables, params[label], strict=True)}
                self._name(values)
            done[label] = self._block(blocks[label], values)
            leaving[label] = values
        kept = []
        for block in self.function.blocks:
            known = leaving.get(block.label, self.start)
            kept.append(self._pass_on(done.get(block.label, block), known, params))
        kept[0] = replace(kept[0], instrs=(*self.zeros, *kept[0].instrs))
        whole = replace(self.function, blocks=tuple(kept), names=self.names)
        return substitute(whole, self.same)

    def _name(self, values: dict[tuple[int, Path], int]) -> None:
        for (local, _), id in values.items():
            if local in self.function.names:
                self.names[id] = self.function.names[local]

    def _block(self, block: Block, values: dict[tuple[int, Path], int]) -> Block:
        kept: list[Instr] = []
        for instr in block.instrs:
            if instr.id in self.places and instr.op in ("local", "access"):
                continue
            place = self.places.get(instr.args[0]) if instr.args else None
            if place is None:
                kept.append(instr)
            elif instr.op == "load":
                self.same[instr.id] = self._read(place, values, kept)
            else:
                self._write(place, resolved(self.same, instr.args[1]), values, kept)
        return replace(block, instrs=tuple(kept))

    def _read(self, place: _Place, values: dict[tuple[int, Path], int], out: list[Instr]) -> int:
        """The value of a place, put together from its parts if it is not one itself."""
        known = values.get((place.local, place.path))
        if known is not None:
            return known
        parts = tuple(self._read(part, values, out) for part in _parts_of(place))
        out.append(Instr(self._new(), "construct", place.type, parts))
        return out[-1].id

    def _write(
        self, place: _Place, value: int, values: dict[tuple[int, Path], int], out: list[Instr]
    ) -> None:
        """Give a place a value, or its parts the value's parts."""
        if (place.local, place.path) in values:
            values[place.local, place.path] = value
            return
        for part in _parts_of(place):
            id = self._new()
            out.append(Instr(id, "extract", part.type, (value,), (part.path[-1],)))
            self._write(part, id, values, out)

    def _pass_on(
        self,
        block: Block,
        values: dict[tuple[int, Path], int],
        params: dict[int, tuple[Param, ...]],
    ) -> Block:
        given = tuple(values.values())

        def way(branch: Branch) -> Branch:
            takes = bool(params.get(branch.target))
            return Branch(branch.target, branch.args + given if takes else branch.args)

        terminator = with_branches(block.terminator, way)
        taken = (*block.params, *params.get(block.label, ()))
        return replace(block, params=taken, terminator=terminator)


def _parts_of(place: _Place) -> list[_Place]:
    return [
        _Place(place.local, (*place.path, at), element(place.type, at))
        for at in range(element_count(place.type))
    ]
