"""One function while its instructions are written."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from luma.backends.spirv.analysis import analyse
from luma.backends.spirv.arms import turned_branches
from luma.backends.spirv.builder import MAX_WORDS, put
from luma.backends.spirv.grammar import Decoration, Op, StorageClass
from luma.backends.spirv.problems import Unsupported
from luma.backends.spirv.splitting import split_structs
from luma.backends.spirv.tidy import constants_last, merged_continues

from luma.ir.module import Function, Instr
from luma.language.layout import Rules
from luma.language.types import Kind, Scalar, Type, Vector, is_opaque, scalar_of

if TYPE_CHECKING:
    from luma.backends.spirv.module import ModuleWriter

#: What NoContraction applies to: operations that a driver could fuse with others (3.20).
_CONTRACTED = frozenset(
    {
        Op.FAdd,
        Op.FSub,
        Op.FMul,
        Op.FDiv,
        Op.FRem,
        Op.FMod,
        Op.FNegate,
        Op.Dot,
        Op.VectorTimesScalar,
        Op.VectorTimesMatrix,
        Op.MatrixTimesScalar,
        Op.MatrixTimesVector,
        Op.MatrixTimesMatrix,
        Op.OuterProduct,
    }
)

#: What takes integers of either kind, whatever its result: the bits are all the same to it.
_TAKES_ANY_INTEGER = frozenset(
    {
        Op.AccessChain,
        Op.BitwiseAnd,
        Op.BitwiseOr,
        Op.BitwiseXor,
        Op.ConvertSToF,
        Op.ConvertUToF,
        Op.IAdd,
        Op.IEqual,
        Op.IMul,
        Op.INotEqual,
        Op.ISub,
        Op.SGreaterThan,
        Op.SGreaterThanEqual,
        Op.SLessThan,
        Op.SLessThanEqual,
        Op.ShiftLeftLogical,
        Op.ShiftRightArithmetic,
        Op.ShiftRightLogical,
        Op.UGreaterThan,
        Op.UGreaterThanEqual,
        Op.ULessThan,
        Op.ULessThanEqual,
    }
)

#: How many dominators are searched for something already written.
SEARCH_DEPTH = 24


@dataclass(frozen=True, slots=True)
class Place:
    """Memory: a variable and the way into it.

    ``base`` is the variable's id, ``indices`` the ids of the access chain's indices, ``pointee``
    the IR type of what is there and ``rules`` its layout (None: plain value types).  ``within`` is
    the type that the last index goes into.
    """

    base: int
    storage: int
    rules: Rules | None
    pointee: Type
    indices: tuple[int, ...] = ()
    within: Type | None = None


class Body:
    """Writes one function: the map from IR values to ids, and the code so far.

    ``code`` holds everything after the first block's variables, ``variables`` those.  ``known``
    remembers what has been written where, so that an equal thing is not written again in a block
    that the first one dominates.
    """

    __slots__ = (
        "_casts",
        "_known",
        "_parts",
        "block",
        "builder",
        "chosen",
        "code",
        "constants",
        "entry",
        "facts",
        "fragment",
        "function",
        "ids",
        "labels",
        "module",
        "outputs",
        "places",
        "raw",
        "types",
        "variables",
    )

    def __init__(self, module: ModuleWriter, function: Function, fragment: bool) -> None:
        self.module = module
        self.builder = module.builder
        self.types = module.types
        function = function if module.debug else split_structs(function)
        self.function = function = constants_last(turned_branches(merged_continues(function)))
        self.fragment = fragment
        self.facts = analyse(function)
        self.ids: dict[int, int] = {}
        self.places: dict[int, Place] = {}
        self.constants: set[int] = set()  # IR values that are constants
        self.raw: dict[int, Rules | None] = {}  # IR values kept as loaded, with their layout
        self.labels: dict[int, int] = {}
        self.variables: list[int] = []
        self.code: list[int] = []
        self.entry = self.block = function.blocks[0].label
        self.chosen: dict[tuple[int, int, int], int] = {}  # (from, to, parameter): its one value
        self.outputs: tuple[int, ...] | None = None  # the variables that an entry point returns in
        self._known: dict[Hashable, dict[int, int]] = {}
        self._casts: dict[int, tuple[int, int]] = {}  # integers of the other kind: type and value
        self._parts: dict[int, tuple[int, ...]] = {}  # of composites other than vectors

    # ------------------------------------------------------------ writing

    def op(self, opcode: int, type_id: int, *operands: int) -> int:
        """Write an instruction that has a result, or take what it would be; its id."""
        if opcode == Op.CompositeExtract and operands[0] in self._parts:
            part, rest = self._parts[operands[0]][operands[1]], operands[2:]
            return self.op(opcode, type_id, part, *rest) if rest else part
        if opcode in _TAKES_ANY_INTEGER and not self.module.debug:
            operands = tuple(self._casts[o][1] if o in self._casts else o for o in operands)
        result = self.builder.new_id()
        if opcode == Op.CompositeConstruct and type_id not in self.types.vectors:
            self._parts[result] = operands
        count = len(operands) + 3
        if count > MAX_WORDS:
            raise Unsupported("a value has too many parts for one SPIR-V instruction")
        self.code += (count << 16 | opcode, type_id, result, *operands)
        if self.module.precise and opcode in _CONTRACTED:
            self.builder.decorate(result, Decoration.NoContraction)
        return result

    def bitcast(self, type_id: int, source_type: int, value: int) -> int:
        """An integer's bits as the other kind's; there and back is the integer itself."""
        before, original = self._casts.get(value, (0, 0))
        if before == type_id:
            return original
        result = self.op(Op.Bitcast, type_id, value)
        self._casts[result] = source_type, value
        return result

    def parts(self, value: int) -> tuple[int, ...] | None:
        """What a composite was put together of, if it is known."""
        return self._parts.get(value)

    def effect(self, opcode: int, *operands: int) -> None:
        """Write an instruction that has no result."""
        put(self.code, opcode, *operands)

    def std(self, number: int, type_id: int, *operands: int) -> int:
        """Write an instruction of GLSL.std.450; its id."""
        return self.op(Op.ExtInst, type_id, self.builder.std, number, *operands)

    def variable(self, type_id: int, initial: int | None = None) -> int:
        """A new function-local variable of the given type."""
        pointer = self.types.pointer(StorageClass.Function, type_id)
        result = self.builder.new_id()
        operands = () if initial is None else (initial,)
        put(self.variables, Op.Variable, pointer, result, StorageClass.Function, *operands)
        return result

    def label(self, block: int) -> int:
        """The id of a block's label."""
        found = self.labels.get(block)
        if found is None:
            found = self.labels[block] = self.builder.new_id()
        return found

    # ------------------------------------------------------------ what is already there

    def known(self, key: Hashable) -> int | None:
        """The id remembered for ``key`` in this block or one that dominates it."""
        written = self._known.get(key)
        if written is None:
            return None
        at: int | None = self.block
        for _ in range(SEARCH_DEPTH):
            if at is None:
                break
            if at in written:
                return written[at]
            at = self.facts.above.get(at)
        return written.get(self.entry)

    def remember(self, key: Hashable, result: int) -> int:
        """Remember the id for ``key`` from here on; the id."""
        self._known.setdefault(key, {})[self.block] = result
        return result

    def remember_everywhere(self, key: Hashable, result: int) -> int:
        """Remember an id that the whole function may use; the id."""
        self._known.setdefault(key, {})[self.entry] = result
        return result

    # ------------------------------------------------------------ values

    def type_of(self, value: int) -> Type:
        """The IR type of a value."""
        return self.facts.types[value]

    def value(self, value: int) -> int:
        """The id of an IR value; constants come into being at their first use."""
        found = self.ids.get(value)
        if found is None:
            found = self.ids[value] = self._deferred(self.facts.defs[value])
        return found

    def _deferred(self, instr: Instr) -> int:
        match instr.op:
            case "const":
                assert isinstance(instr.type, Scalar)
                number = instr.imm[0]
                assert isinstance(number, bool | int | float)
                return self.types.scalar(instr.type, number)
            case "spec":
                return self.module.spec(str(instr.imm[0]))
            case "construct" | "splat":
                return self._constant_composite(instr)
            case "global" if is_opaque(instr.type):
                return self.module.place(str(instr.imm[0])).base
        raise AssertionError(f"value {instr.id} ({instr.op}) is used before it is written")

    def _constant_composite(self, instr: Instr) -> int:
        parts: list[int] = []
        for arg in instr.args:
            t = self.type_of(arg)
            if isinstance(t, Vector) and isinstance(instr.type, Vector):
                parts += self._constant_components(arg)
            else:
                parts.append(self.value(arg))
        if instr.op == "splat":
            assert isinstance(instr.type, Vector)
            parts *= instr.type.size
        return self.types.composite(instr.type, tuple(parts))

    def _constant_components(self, value: int) -> list[int]:
        """The scalars of a constant vector that stands inside a bigger one."""
        t = self.type_of(value)
        if not isinstance(t, Vector):
            return [self.value(value)]
        instr = self.facts.defs[value]
        parts = [p for arg in instr.args for p in self._constant_components(arg)]
        return parts * t.size if instr.op == "splat" else parts

    def number(self, value: int) -> bool | int | float | None:
        """The number a constant scalar, or a vector of one repeated constant, is; else None."""
        instr = self.facts.defs.get(value)
        if instr is None or value not in self.constants:
            return None
        if instr.op == "const":
            number = instr.imm[0]
            assert isinstance(number, bool | int | float)
            return number
        if len(set(instr.args)) == 1:
            return self.number(instr.args[0])
        return None

    def type_id(self, value: int) -> int:
        """The id of an IR value's type."""
        return self.types.value(self.type_of(value))


def scalar_kind(t: Type) -> Kind:
    """The kind of the scalars that a scalar, vector or matrix is made of."""
    return scalar_of(t).kind
