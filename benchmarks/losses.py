"""Why Luma's output costs more than the best peer's on some stages, as far as it is understood."""

_BOUND = (
    "the bound that the language asks of a loop (`@max_iterations`, `@unroll`) is a second counter "
    "and comparison in each round, which the twins do without"
)
_NEGATED = "an early return branches on `a or b`, which costs one instruction to negate"

#: By the corpus's entry.
LOSSES = {
    "boids": _BOUND,
    "color_space": (
        "a division written before a branch sinks into one arm of it, so that the driver keeps the "
        "branch in place of a select"
    ),
    "fluid_advect": _NEGATED,
    "fluid_project": _NEGATED,
    "mandelbrot": _BOUND,
    "noise": (
        "with what the optimizer has moved into arms of branches the loop is beyond the size that "
        "the driver unrolls; as written, it is just below"
    ),
    "ray_boxes": _BOUND,
    "reduction": _BOUND,
}
