"""Why Luma's output costs more than the best peer's on some stages, as far as it is understood."""

_BOUND = (
    "the bound that the language asks of a loop (`@max_iterations`) is a second counter and "
    "comparison in each round where the author's own does not tell the rounds; the twins have none"
)

#: By the corpus's entry.
LOSSES = {
    "depth_of_field_confuse": (
        "a product and a difference of the same two uniforms, of which the driver keeps one in a "
        "vector register for both"
    ),
    "ray_boxes": _BOUND
    + "; and its stack begins with zeros, where the twin's begins with nothing known",
    "reduction": _BOUND,
    "sdf_text_ink": (
        "the driver changes the mask of lanes for each input that it reads behind the `discard`; "
        "of what DXC makes, once for all"
    ),
}
