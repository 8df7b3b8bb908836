"""Why Luma's output costs more than the best peer's on some stages, as far as it is understood."""

#: By the corpus's entry.
LOSSES = {
    "bloom_downsample": "glslc inlines the helper and merges two adds of the offsets",
    "boids": "DXC leaves the loop in another form, with fewer jumps",
    "color_space": (
        "a division written before a branch sinks into one arm of it, so that the driver keeps the "
        "branch in place of a select"
    ),
    "compute_prefix_sum": (
        "wrapping signed arithmetic of the indices, where the GLSL has unsigned ones"
    ),
    "fluid_advect": "a negated condition of an early return",
    "fluid_project": "a negated condition of an early return",
    "mandelbrot": "Slang turns the loop round, so that it tests once less",
    "noise": "the driver unrolls the loop of the peers' form but not of ours, by its own limit",
    "ray_boxes": "calls with early returns are inlined with flags that the driver keeps",
    "reduction": "a loop over the strides that the GLSL writes with shifts",
    "sdf_text_place": "Slang's order of the vertex's terms saves one instruction",
    "sdf_text_ink": "on gfx1100 the driver schedules the derivatives otherwise",
    "skybox_enclose": "Slang's order of the vertex's terms saves one instruction",
    "terrain_lift": "on gfx1100 the driver pairs other instructions",
    "voxels": "calls with early returns are inlined with flags that the driver keeps",
}
