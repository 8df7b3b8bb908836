"""What running functions share: resources, workgroup memory, fuel, and how invocations wait."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from luma.frontend.typed import Access
from luma.ir.interpret.resources import FuelExhausted, MissingResource, Resources, find
from luma.ir.interpret.textures import Sampled
from luma.ir.module import Global, Module
from luma.language.layout import Rules, layout, rules_for
from luma.language.numbers import narrow
from luma.language.stages import Stage
from luma.language.types import Array, Sampler, Scalar, Space, Struct, Texture, Type

#: The values of one call, by slot.
Env: TypeAlias = list[Any]
Step: TypeAlias = Callable[[Env], None]


@dataclass(frozen=True, slots=True)
class Wait:
    """A place where an invocation waits for others.

    ``site`` orders such places by the program's text; ``value`` is what the quad's other
    invocations are to see (None at a barrier).  The answer is the value's change to the right and
    below, as a pair.
    """

    site: int
    value: Any = None


Waiting: TypeAlias = Generator[Wait, Any, Any]
WaitingStep: TypeAlias = Callable[[Env], Waiting]


class Discarded(Exception):
    """An invocation ended by ``discard``."""


class Callee(Protocol):
    """A function made ready; one that ``waits`` is to be started, else it may be called."""

    waits: bool

    def call(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """Run to the end; the returned values."""

    def start(self, arguments: Sequence[Any]) -> Waiting:
        """A generator that gives each :class:`Wait`, and returns the returned values."""


class Machine:
    """A module's resources and the state that all invocations share.

    ``fuel`` is how many instructions may still run, in all invocations together; ``silent`` is set
    while a helper invocation runs, whose writes to buffers do not happen.
    """

    def __init__(
        self, module: Module, stage: Stage | None, resources: Resources, fuel: int
    ) -> None:
        self.stage = stage
        self.fuel = fuel
        self.silent = False
        self.functions: dict[str, Callee] = {}
        self._resources = resources
        self._constants = _spec_values(module, resources.constants)
        self._globals = {item.name: item for item in module.globals}
        self._values: dict[str, Any] = {}
        self._shared: list[bytearray] = []
        self._sites = 0

    def next_site(self) -> int:
        """A new number for a place where invocations wait."""
        self._sites += 1
        return self._sites

    def burn(self, steps: int) -> None:
        """Count steps.  Raises FuelExhausted when they are too many."""
        self.fuel -= steps
        if self.fuel < 0:
            raise FuelExhausted("the shader took more steps than allowed")

    def reset_shared(self) -> None:
        """Clear workgroup memory, for the next workgroup."""
        for buffer in self._shared:
            buffer[:] = bytes(len(buffer))

    def constant(self, name: str) -> bool | int | float:
        """The value of a specialization constant."""
        return self._constants[name]

    def global_value(self, name: str) -> Any:
        """What the instruction ``global`` gives: a pointer, a texture or a sampler.

        Raises MissingResource if there is none, or none that fits.
        """
        if name not in self._values:
            self._values[name] = self._bind(self._globals[name])
        return self._values[name]

    def _bind(self, item: Global) -> Any:
        resources = self._resources
        if isinstance(item.type, Texture):
            texture = find("texture", resources.textures, item)
            if texture.dim is not item.type.dim:
                raise MissingResource(f"@{item.name} is a {item.type}, not a {texture.dim.value}")
            return Sampled(texture)
        if isinstance(item.type, Sampler):
            return find("sampler", resources.samplers, item)
        rules = rules_for(item.space)
        if item.space is Space.WORKGROUP:
            self._shared.append(bytearray(layout(item.type, rules).size))
            return (self._shared[-1], 0)
        buffer: Any = resources.push_constants
        if item.space is not Space.PUSH_CONSTANT:
            buffer = find("buffer", resources.buffers, item)
        if len(buffer) < extent(item.type, rules):
            raise MissingResource(f"@{item.name} takes {extent(item.type, rules)} bytes")
        if item.access is not Access.READ and memoryview(buffer).readonly:
            raise MissingResource(f"@{item.name} is written: it takes a bytearray")
        return (buffer, 0)


def extent(t: Type, rules: Rules) -> int:
    """The bytes of a type up to its last value: its size without the padding at the end."""
    match t:
        case Struct(fields=fields) if fields:
            return layout(t, rules).offsets[-1] + extent(fields[-1].type, rules)
        case Array(elem, int() as size):
            return layout(t, rules).stride * (size - 1) + extent(elem, rules)
    return layout(t, rules).size


def _spec_values(
    module: Module, overrides: Mapping[str | int, bool | int | float]
) -> dict[str, bool | int | float]:
    values: dict[str, bool | int | float] = {}
    for spec in module.spec_constants:
        given = overrides.get(spec.name, overrides.get(spec.id, spec.default))
        assert isinstance(spec.type, Scalar)
        values[spec.name] = narrow(given, spec.type)
    return values
