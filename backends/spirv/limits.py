"""What SPIR-V makes of the language's features: the facts for the documentation."""

from __future__ import annotations

from .. import Limit

LIMITS: tuple[Limit, ...] = (
    Limit("sampler2D and its like", "an image and a sampler, in two bindings"),
    Limit("bool in a buffer or uniform", "a 32-bit uint in memory, compared with 0 where read"),
    Limit("half", "capability Float16, and 16-bit storage capabilities where memory holds halves"),
    Limit("half between stages", "capability StorageInputOutput16, which many devices lack"),
    Limit("specialization constants", "OpSpecConstant; never folded"),
    Limit("discard()", "OpKill: derivatives taken later in the quad are undefined"),
    Limit("shifts", "the count is masked with 31 unless it is a constant in range"),
    Limit("% of ints", "a - b * (a / b): drivers disagree on OpSRem of negative values"),
    Limit("run-time index into a matrix or array value", "a copy in function-local memory"),
    Limit("strict floating point", "NoContraction on all arithmetic under --fp=strict"),
    Limit(
        "more than 65,530 parts of a value, 255 parameters, 16,383 fields",
        "error E0701: SPIR-V's universal limits",
    ),
)
