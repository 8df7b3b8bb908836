"""Whether calls of snippets match what their groups list: warnings, since GLSL decides.

Types are compared as they are written; a variable's member or element may be of any type.
"""

from __future__ import annotations

from collections.abc import Iterator

from luma.diagnostics import Diagnostic
from luma.lume.problems import MISMATCH
from luma.lume.snippets.config import Block, Config, Signature


def mismatches(config: Config) -> Iterator[Diagnostic]:
    """What does not match, call by call."""
    known = {v.name: v.type for v in (*config.template.variables, *config.uniforms)}
    for block in config.blocks:
        yield from _of_signature(config, block)
        yield from _of_variables(block, known)


def _of_signature(config: Config, block: Block) -> Iterator[Diagnostic]:
    group = config.template.groups.get(block.group)
    if group is None or not group.functions:
        return
    signatures = group.functions.get(block.function)
    if signatures is None:
        listed = ", ".join(f"'{name}'" for name in group.functions)
        message = f"group '{group.name}' does not list a function '{block.function}'"
        yield block.node.warning(MISMATCH, message, f"it lists {listed}")
        return
    # Of a function that is listed several times, the call must match one.
    found = [list(_of_one(block, signature)) for signature in signatures]
    if all(found):
        yield from min(found, key=len)


def _of_one(block: Block, signature: Signature) -> Iterator[Diagnostic]:
    """What does not match one signature."""
    for what, given, wanted in (
        ("inputs", block.inputs, signature.inputs),
        ("outputs", block.outputs, signature.outputs),
    ):
        if len(given) != len(wanted):
            message = f"'{block.function}' takes {len(wanted)} {what} and is given {len(given)}"
            yield block.node.warning(MISMATCH, message)
            continue
        for argument, kind in zip(given, wanted, strict=True):
            if kind and argument.type != kind:
                message = f"'{block.function}' takes {_a(kind)} and is given {_a(argument.type)}"
                yield argument.node.warning(MISMATCH, message)


def _of_variables(block: Block, known: dict[str, str]) -> Iterator[Diagnostic]:
    """Arguments that are said to be of another type than the variables have."""
    for argument in (*block.inputs, *block.outputs):
        name = argument.name
        if name is None or not name.isidentifier():
            continue
        if known.setdefault(name, argument.type) != argument.type:
            message = f"'{name}' is {_a(known[name])}, not {_a(argument.type)}"
            yield argument.node.warning(MISMATCH, message)


def _a(kind: str) -> str:
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"
