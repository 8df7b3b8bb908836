"""Which values become variables of the text, and which are written where they are used.

A pure value used once is nested into its use; what a reader would repeat without a thought (a
constant, a component, a member of a uniform) is written wherever it is used; everything else gets
a name.  Reads of memory are nested only as long as nothing is written between, and effects stay in
their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from typing import Protocol

from luma.ir.effects import effect, value_types
from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    Function,
    FunctionParam,
    Instr,
    Param,
    Return,
    operands,
    successors,
)
from luma.language.builtins import Effect
from luma.language.types import (
    INT,
    UINT,
    Array,
    Matrix,
    Pointer,
    Struct,
    Type,
    Vector,
    Void,
    is_integer,
    is_opaque,
    scalar_of,
)

#: Most operations that one statement nests before its parts get names.
MAX_NESTED = 18
#: Most uses of a vector of constants that is written at each.
REPEATED = 3


class Form(Enum):
    """How a value appears in the text."""

    FREE = "free"  # written at every use
    NESTED = "nested"  # written at its one use
    NAMED = "named"  # a variable
    EFFECT = "effect"  # a statement without a variable
    DEAD = "dead"  # not at all


class Needs(Protocol):
    """What a target's spelling of operations asks of their operands."""

    #: Whether ``&&`` and ``||`` leave out the right side's effects where it is not needed.
    short_circuits: bool
    #: Whether arithmetic of floats has to end in variables, which can be declared precise.
    precise: bool

    def repeated(self, instr: Instr, types: Mapping[int, Type]) -> tuple[int, ...]:
        """The positions of operands that the text has more than once: they need names."""

    def lazy(self, instr: Instr, types: Mapping[int, Type]) -> tuple[int, ...]:
        """The positions of operands that the text evaluates only under a condition."""

    def updates(self, instr: Instr, types: Mapping[int, Type]) -> bool:
        """Whether the text is an assignment to a part of the first operand's copy."""

    def alone(self, instr: Instr, types: Mapping[int, Type]) -> bool:
        """Whether the text is a statement of its own that gives a variable its value."""


@dataclass(slots=True)
class Forms:
    """The forms of a function's values, and what is known of each value.

    ``leaves`` has, for every value, the named values, parameters and local memories in its text.
    ``bound`` are values with effects that an operator would not leave out in time.
    """

    function: Function
    types: dict[int, Type]
    instrs: dict[int, Instr]
    blocks: dict[int, Block]
    form: dict[int, Form] = field(default_factory=dict)
    uses: dict[int, int] = field(default_factory=dict)
    leaves: dict[int, frozenset[int]] = field(default_factory=dict)
    bound: set[int] = field(default_factory=set)  # to be evaluated only where they are wanted

    def is_variable(self, value: int) -> bool:
        """Whether the value is held by a variable (or a parameter)."""
        return self.form.get(value, Form.NAMED) is Form.NAMED

    def is_simple(self, value: int) -> bool:
        """Whether the value's text may be repeated."""
        return self.form.get(value, Form.NAMED) in (Form.NAMED, Form.FREE)


def choose(function: Function, effects: Mapping[str, Effect], needs: Needs) -> Forms:
    """Decide the form of every value.  ``effects`` are those of the module's functions."""
    types = value_types(function)
    instrs = {i.id: i for i in function.instructions() if defines(i)}
    forms = Forms(function, types, instrs, {block.label: block for block in function.blocks})
    chooser = _Chooser(forms, effects, needs)
    chooser.count_uses()
    for block in function.blocks:
        chooser.block(block)
    chooser.collect_leaves()
    return forms


def _straight_on(function: Function) -> dict[int, int]:
    """Each block that only goes on to the next one, which nothing else goes to."""
    ways: dict[int, int] = {}
    for block in function.blocks:
        for edge in successors(block.terminator):
            ways[edge.target] = ways.get(edge.target, 0) + 1
    return {
        block.label: after.label
        for block, after in pairwise(function.blocks)
        if isinstance(block.terminator, Branch)
        and block.terminator.target == after.label
        and ways[after.label] == 1
    }


def _chains(function: Function, after: Mapping[int, int]) -> dict[int, int]:
    """Each block to the first of those that run one after the other."""
    chains: dict[int, int] = {}
    for block in function.blocks:
        first = chains.setdefault(block.label, block.label)
        if block.label in after:
            chains[after[block.label]] = first
    return chains


def defines(instr: Instr) -> bool:
    """Whether the instruction gives a value."""
    return not isinstance(instr.type, Void)


#: Operations that a compiler may fuse with others, which rounds once for twice.
_FUSED = frozenset(
    {"add", "sub", "mul", "div", "neg", "dot", "mat_vec", "vec_mat", "mat_mat", "mat_scale"}
)


def _rounds(instr: Instr) -> bool:
    """Whether the instruction is arithmetic of floats whose rounding a compiler may change."""
    return instr.op in _FUSED and not is_integer(scalar_of(instr.type))


@dataclass(slots=True)
class _Tree:
    """A value that waits to be nested: what its text contains."""

    weight: int
    reads: bool
    writes: bool
    quad: bool
    rounds: bool

    @property
    def ordered(self) -> bool:
        return self.reads or self.writes


class _Chooser:
    def __init__(self, forms: Forms, effects: Mapping[str, Effect], needs: Needs) -> None:
        self.forms = forms
        self.effects = effects
        self.needs = needs
        self.used_in: dict[int, int | None] = {}  # the one block that uses a value
        self.returned: set[int] = set()  # values that only a return uses
        self.waiting: dict[int, _Tree] = {}
        self._after = _straight_on(forms.function)
        self.chain = _chains(forms.function, self._after)
        self.headers = {b.label for b in forms.function.blocks if b.loop is not None}

    # ------------------------------------------------------------ uses

    def count_uses(self) -> None:
        """Count the uses by living code, and mark what is dead."""
        alive = self._alive()
        for block in self.forms.function.blocks:
            for instr in block.instrs:
                if not defines(instr) or instr.id in alive:
                    self._use(instr.args, block.label)
            self._use(operands(block.terminator), block.label)
            if isinstance(block.terminator, Return):
                self.returned.update(block.terminator.values)
        for value in self.forms.instrs:
            if value not in alive:
                self.forms.form[value] = Form.DEAD

    def _alive(self) -> set[int]:
        function, instrs = self.forms.function, self.forms.instrs
        pending: list[int] = []
        for block in function.blocks:
            pending += operands(block.terminator)
            for instr in block.instrs:
                if not defines(instr):
                    pending += instr.args
                elif self._effect(instr) is Effect.WRITE and instr.op != "local":
                    pending.append(instr.id)
        alive: set[int] = set()
        while pending:
            value = pending.pop()
            if value not in alive:
                alive.add(value)
                if value in instrs:
                    pending += instrs[value].args
        return alive

    def _use(self, values: tuple[int, ...], label: int) -> None:
        for value in values:
            self.forms.uses[value] = self.forms.uses.get(value, 0) + 1
            known = self.used_in.setdefault(value, self.chain[label])
            if known != self.chain[label]:
                self.used_in[value] = None

    def _effect(self, instr: Instr) -> Effect:
        return effect(instr, self.forms.types, self.effects)

    # ------------------------------------------------------------ one block

    def block(self, block: Block) -> None:
        """Decide the forms of a block's values, in order."""
        if self.chain[block.label] == block.label:
            self.waiting = {}
        for instr in block.instrs:
            if not defines(instr):
                self._consume(instr, Effect.WRITE)
            elif self.forms.form.get(instr.id) is not Form.DEAD:
                self._decide(instr, block.label)
        self._end(block)
        if block.label not in self._after:
            for value in tuple(self.waiting):
                self._name(value)

    def _end(self, block: Block) -> None:
        """The terminator takes what still waits for it."""
        terminator = block.terminator
        if isinstance(terminator, CondBranch):
            tree = self.waiting.pop(terminator.cond, None)
            if tree is not None:
                self._settle(terminator.cond, named=self.needs.precise and tree.rounds)
            for value in (*terminator.then.args, *terminator.otherwise.args):
                tree = self.waiting.pop(value, None)
                if tree is not None:
                    self._settle(value, named=tree.quad or tree.ordered)
        elif isinstance(terminator, Return | Branch):
            trees = [v for v in operands(terminator) if v in self.waiting]
            for value in trees:
                tree = self.waiting.pop(value)
                imprecise = self.needs.precise and tree.rounds
                self._settle(value, named=imprecise or (tree.writes and len(trees) > 1))

    def _decide(self, instr: Instr, label: int) -> None:
        behaviour = self._effect(instr)
        if self._is_free(instr, behaviour):
            self._consume(instr, Effect.PURE, takes=False)
            self.forms.form[instr.id] = Form.FREE
            return
        tree = self._consume(instr, behaviour)
        if not self.forms.uses.get(instr.id):
            self.forms.form[instr.id] = Form.EFFECT
        elif self._nests(instr, label):
            self.forms.form[instr.id] = Form.NESTED
            if tree.writes and not self.needs.short_circuits:
                self.forms.bound.add(instr.id)
            self.waiting[instr.id] = tree
        else:
            self._name(instr.id)

    def _nests(self, instr: Instr, label: int) -> bool:
        """Whether a value may wait for its one use."""
        if self.forms.uses[instr.id] != 1 or self.used_in[instr.id] != self.chain[label]:
            return False
        if self.needs.updates(instr, self.forms.types):
            return False
        if self.needs.alone(instr, self.forms.types):
            return False
        if isinstance(instr.type, Pointer):
            return True
        return instr.id not in self.forms.function.names or instr.id in self.returned

    def _is_free(self, instr: Instr, behaviour: Effect) -> bool:
        """Whether the value's text may stand at each of its uses."""
        once = self.forms.uses.get(instr.id, 0) == 1
        repeatable = once or instr.id not in self.forms.function.names
        match instr.op:
            case "const" | "spec" | "global" | "local":
                return True
            case "access":
                return not once or all(self.forms.is_simple(a) for a in instr.args)
            case "load":
                pure = behaviour is Effect.PURE and not isinstance(instr.type, Struct | Array)
                return pure and repeatable and self.forms.is_simple(instr.args[0])
            case "extract":
                simple = all(self.forms.is_simple(a) for a in instr.args)
                return simple and repeatable and (once or None not in instr.imm)
            case "shuffle":
                return len(instr.args) == 1 and repeatable and self.forms.is_simple(instr.args[0])
            case "splat":
                return repeatable and self.forms.is_simple(instr.args[0])
            case "construct":
                constants = all(self._is_constant(a) for a in instr.args)
                if isinstance(instr.type, Array):
                    return constants  # a table outside all functions
                plain = isinstance(instr.type, Vector) or (once and isinstance(instr.type, Matrix))
                return constants and repeatable and plain and not self._is_long(instr)
        return is_opaque(instr.type) or self._is_bound(instr, behaviour)

    def _is_long(self, instr: Instr) -> bool:
        """Whether this is a vector of various constants that a reader would not like to repeat."""
        return len(set(instr.args)) >= 3 and self.forms.uses.get(instr.id, 0) > REPEATED

    def _is_bound(self, instr: Instr, behaviour: Effect) -> bool:
        """Whether this is small integer arithmetic, used once in another block: a loop's bound."""
        return (
            behaviour is Effect.PURE
            and instr.op in ("add", "sub", "mul", "convert")
            and instr.type in (INT, UINT)
            and self.forms.uses.get(instr.id) == 1
            and self.used_in[instr.id] is not None
            and self.used_in[instr.id] in self.headers
            and instr.id not in self.forms.function.names
            and all(self.forms.is_simple(a) for a in instr.args)
        )

    def _is_constant(self, value: int) -> bool:
        instr = self.forms.instrs.get(value)
        return instr is not None and (
            instr.op == "const"
            or (instr.op in ("splat", "construct") and all(map(self._is_constant, instr.args)))
        )

    # ------------------------------------------------------------ operands

    def _consume(self, instr: Instr, behaviour: Effect, takes: bool = True) -> _Tree:
        """Take an instruction's waiting operands into its text; give the whole's measure.

        What may not be taken, or may not be passed by this instruction, gets a name.
        """
        types = self.forms.types
        repeated = self.needs.repeated(instr, types)
        lazy = self.needs.lazy(instr, types)
        taken: list[tuple[int, _Tree]] = []
        for position, value in enumerate(instr.args):
            tree = self.waiting.pop(value, None)
            if tree is None:
                continue
            hidden = position in lazy and (tree.quad or tree.writes)
            if not takes or position in repeated or hidden or self._escapes(tree, instr, position):
                self._name(value)
            else:
                taken.append((value, tree))
        self._limit(taken)
        if behaviour in (Effect.READ, Effect.WRITE):
            self._pass(writes=behaviour is Effect.WRITE)
        trees = [tree for _, tree in taken]
        return _Tree(
            (instr.op not in ("extract", "shuffle", "splat", "access", "load"))
            + sum(t.weight for t in trees),
            behaviour is Effect.READ or any(t.reads for t in trees),
            behaviour is Effect.WRITE or any(t.writes for t in trees),
            self._is_quad(instr, behaviour) or any(t.quad for t in trees),
            _rounds(instr) or any(t.rounds for t in trees),
        )

    def _escapes(self, tree: _Tree, taker: Instr, position: int) -> bool:
        """Whether arithmetic would end in something that cannot be declared precise.

        A choice is one by its condition, which compilers do not count among what makes its value.
        """
        if not (self.needs.precise and tree.rounds):
            return False
        decides = taker.op == "select" and position == 0
        return decides or not defines(taker) or taker.op == "call" or "atomic" in taker.op

    def _is_quad(self, instr: Instr, behaviour: Effect) -> bool:
        calls = instr.op == "call" and behaviour not in (Effect.PURE, Effect.PARTIAL)
        return behaviour is Effect.QUAD or calls

    def _limit(self, taken: list[tuple[int, _Tree]]) -> None:
        """Give names to the heaviest operands of a text that would get too long."""
        while sum(tree.weight for _, tree in taken) >= MAX_NESTED:
            at = max(range(len(taken)), key=lambda i: (taken[i][1].weight, -i))
            self._name(taken.pop(at)[0])

    def _pass(self, writes: bool) -> None:
        """Name what may not move past a read or a write."""
        for value, tree in tuple(self.waiting.items()):
            if tree.writes or (writes and tree.reads):
                self._name(value)

    def _settle(self, value: int, named: bool) -> None:
        if named:
            self._name(value)

    def _name(self, value: int) -> None:
        """Make a waiting value a variable; of a pointer, the indices inside it."""
        self.waiting.pop(value, None)
        instr = self.forms.instrs[value]
        if not isinstance(instr.type, Pointer):
            self.forms.form[value] = Form.NAMED
            return
        self.forms.form[value] = Form.FREE
        for operand in instr.args:
            if self.forms.form.get(operand) is Form.NESTED:
                self._name(operand)

    # ------------------------------------------------------------ leaves

    def collect_leaves(self) -> None:
        """Find the variables that each value's text reads."""
        leaves = self.forms.leaves
        function = self.forms.function
        params: list[FunctionParam | Param] = [*function.params]
        for block in function.blocks:
            params += block.params
        for item in params:
            leaves[item.id] = frozenset() if is_opaque(item.type) else frozenset({item.id})
        for instr in function.instructions():
            if defines(instr):
                inside = frozenset[int]().union(*(leaves[a] for a in instr.args))
                held = self.forms.form.get(instr.id) is Form.NAMED or instr.op == "local"
                leaves[instr.id] = frozenset({instr.id}) if held else inside
