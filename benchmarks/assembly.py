"""Reading AMD's assembly as Mesa prints it: what issues, how long, and whether it loops.

An issue cycle is the time of a full-rate instruction of the vector or the scalar unit.
Transcendental functions and 32-bit integer multiplications take four.  Memory, waits and other
control of the pipeline are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

TRANSCENDENTAL_CYCLES = 4
WIDE_MULTIPLY_CYCLES = 4

_REPEATED = re.compile(r"\(then repeated (\d+) times\)")
_LABEL = re.compile(r"^(BB\d+):")
_MNEMONIC = re.compile(r"^\s*((?:v|s)_\w+)(.*)")
_TRANSCENDENTAL = re.compile(r"v_(?:s_)?(?:rcp|rsq|sqrt|log|exp|sin|cos)_(?:iflag_)?f(?:16|32)")
_WIDE_MULTIPLY = re.compile(r"v_(?:mul_(?:lo|hi)|mad_[iu]64)_[iu]")
_BRANCH = re.compile(r"s_c?branch\w*")
#: Scalar instructions that reach memory or steer the pipeline.
_UNCOUNTED = re.compile(
    r"s_(?:endpgm|waitcnt|code_end|nop|clause|inst_prefetch|set_inst_prefetch|delay|depctr"
    r"|load|buffer|sendmsg|barrier)"
)


@dataclass(frozen=True, slots=True)
class Issue:
    """What a program issues.

    ``blocks`` holds, for each basic block, its issue cycles and how many loops it is in.
    """

    vector: int
    transcendental: int
    multiplies: int
    scalar: int
    loops: int
    blocks: tuple[tuple[int, int], ...]

    @property
    def cycles(self) -> int:
        """Issue cycles of all instructions, each once."""
        return sum(cycles for cycles, _ in self.blocks)

    def weighted(self, trips: Sequence[int]) -> int:
        """Issue cycles when every block runs and a loop so many times, outermost loop first; a loop
        deeper than ``trips`` tells runs as often as the deepest told."""
        return sum(cycles * _runs(depth, trips) for cycles, depth in self.blocks)


def _runs(depth: int, trips: Sequence[int]) -> int:
    runs = 1
    for level in range(depth):
        runs *= trips[min(level, len(trips) - 1)]
    return runs


def read(text: str) -> Issue:
    """What a disassembled program issues."""
    counts = {"vector": 0, "transcendental": 0, "multiplies": 0, "scalar": 0}
    cycles = [0]
    places: dict[str, int] = {}
    back: list[tuple[int, int]] = []  # loops, by their first and last block
    for line in _unfolded(text):
        if label := _LABEL.match(line):
            places[label[1]] = len(cycles)
            cycles.append(0)
            continue
        found = _MNEMONIC.match(line)
        if found is None:
            continue
        kinds, spent = _kinds(found[1])
        for kind in kinds:
            counts[kind] += 1
        cycles[-1] += spent
        target = places.get(_first_word(found[2]))
        if target is not None and _BRANCH.match(found[1]):
            back.append((target, len(cycles) - 1))
    heads = {first: max(last for f, last in back if f == first) for first, _ in back}
    depths = [sum(a <= at <= b for a, b in heads.items()) for at in range(len(cycles))]
    return Issue(**counts, loops=len(heads), blocks=tuple(zip(cycles, depths, strict=True)))


def _kinds(name: str) -> tuple[tuple[str, ...], int]:
    """What an instruction is counted as, and its issue cycles."""
    if name.startswith("v_"):
        if _TRANSCENDENTAL.match(name):
            return ("vector", "transcendental"), TRANSCENDENTAL_CYCLES
        if _WIDE_MULTIPLY.match(name):
            return ("vector", "multiplies"), WIDE_MULTIPLY_CYCLES
        return ("vector",), 1
    return ((), 0) if _UNCOUNTED.match(name) else (("scalar",), 1)


def _first_word(operands: str) -> str:
    words = operands.split()
    return words[0] if words else ""


def _unfolded(text: str) -> Iterator[str]:
    """The lines, with those repeated that the printer has folded into one."""
    last = ""
    for line in text.splitlines():
        if times := _REPEATED.search(line):
            for _ in range(int(times[1])):
                yield last
        else:
            yield line
            last = line
