"""Sampling, fetching and asking textures.

Textures and samplers are separate variables; they are joined in the block that samples, as SPIR-V
demands of OpSampledImage.  A handle that is a function's parameter is a pointer to its variable.
"""

from __future__ import annotations

from luma.backends.spirv.body import Body
from luma.backends.spirv.grammar import ImageOperands, Op

from luma.ir.module import Instr
from luma.language.types import FLOAT


def handle(body: Body, value: int) -> int:
    """The texture or sampler itself, loaded where no dominating block has done so."""
    pointer = body.value(value)
    key = ("handle", pointer)
    found = body.known(key)
    if found is not None:
        return found
    return body.remember(key, body.op(Op.Load, body.type_id(value), pointer))


def _sampled(body: Body, instr: Instr) -> int:
    """The texture and sampler of a sampling instruction, joined in this very block."""
    texture, sampler = instr.args[:2]
    key = ("sampled", body.block, body.value(texture), body.value(sampler))
    found = body.known(key)
    if found is not None:
        return found
    image, filter_ = handle(body, texture), handle(body, sampler)
    type_id = body.builder.type(Op.TypeSampledImage, body.type_id(texture))
    return body.remember(key, body.op(Op.SampledImage, type_id, image, filter_))


#: The image operands that follow the coordinate, by operation.
_OPERANDS = {
    "sample_bias": ImageOperands.Bias,
    "sample_level": ImageOperands.Lod,
    "sample_grad": ImageOperands.Grad,
}


def sample(body: Body, instr: Instr) -> int:
    """A filtered colour: by implicit, biased or given level of detail, or by gradients."""
    sampled = _sampled(body, instr)
    coordinate, *rest = map(body.value, instr.args[2:])
    explicit = instr.op in ("sample_level", "sample_grad")
    opcode = Op.ImageSampleExplicitLod if explicit else Op.ImageSampleImplicitLod
    mask = _OPERANDS.get(instr.op)
    operands = () if mask is None else (mask, *rest)
    return body.op(opcode, body.types.value(instr.type), sampled, coordinate, *operands)


def compare(body: Body, instr: Instr) -> int:
    """A depth comparison; outside fragment stages there are no derivatives, so level 0."""
    sampled = _sampled(body, instr)
    coordinate, reference = map(body.value, instr.args[2:])
    type_id = body.types.value(instr.type)
    if body.fragment:
        return body.op(Op.ImageSampleDrefImplicitLod, type_id, sampled, coordinate, reference)
    level = (ImageOperands.Lod, body.types.scalar(FLOAT, 0.0))
    return body.op(Op.ImageSampleDrefExplicitLod, type_id, sampled, coordinate, reference, *level)


def fetch(body: Body, instr: Instr) -> int:
    """One texel of one level."""
    image = handle(body, instr.args[0])
    coordinate, level = map(body.value, instr.args[1:])
    type_id = body.types.value(instr.type)
    return body.op(Op.ImageFetch, type_id, image, coordinate, ImageOperands.Lod, level)


def query_size(body: Body, instr: Instr) -> int:
    """The size of one level."""
    image = handle(body, instr.args[0])
    level = body.value(instr.args[1])
    return body.op(Op.ImageQuerySizeLod, body.types.value(instr.type), image, level)
