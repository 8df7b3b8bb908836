"""The interpreter: runs IR on the CPU, with exact binary32 arithmetic.  It is the oracle.

``run_compute``, ``run_vertex`` and ``run_fragment`` run an entry point with :class:`Resources`;
``run_function`` calls one function.  Memory is bytes laid out as on every target (``encode`` and
``decode`` help).  All errors are :class:`InterpretError`; a run takes a limited number of steps.
"""

from luma.ir.interpret.memory import decode, encode
from luma.ir.interpret.resources import (
    DivergentBarrier,
    FuelExhausted,
    InterpretError,
    MissingResource,
    Resources,
    Sampler,
    Texture,
)
from luma.ir.interpret.run import (
    FUEL,
    run_compute,
    run_fragment,
    run_function,
    run_vertex,
)

__all__ = [
    "FUEL",
    "DivergentBarrier",
    "FuelExhausted",
    "InterpretError",
    "MissingResource",
    "Resources",
    "Sampler",
    "Texture",
    "decode",
    "encode",
    "run_compute",
    "run_fragment",
    "run_function",
    "run_vertex",
]
