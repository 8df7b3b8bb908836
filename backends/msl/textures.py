"""How MSL spells textures: types, and methods of a texture object."""

from __future__ import annotations

from luma.ir.module import Instr
from luma.language.stages import Stage
from luma.language.types import Dim, Texture, Type

from ..text.body import Body
from ..text.code import Code, call
from .places import Places

_SHAPES = {
    Dim.D2: ("texture2d", "depth2d"),
    Dim.D3: ("texture3d", ""),
    Dim.CUBE: ("texturecube", "depthcube"),
    Dim.D2_ARRAY: ("texture2d_array", "depth2d_array"),
}
_GRADIENTS = {
    Dim.D2: "gradient2d",
    Dim.D3: "gradient3d",
    Dim.CUBE: "gradientcube",
    Dim.D2_ARRAY: "gradient2d",
}


def texture_name(t: Texture) -> str:
    """The type of a texture."""
    return f"{_SHAPES[t.dim][t.depth]}<float>"


class Textures(Places):
    """Spells the operations on textures; a printer's base."""

    def stage(self, body: Body) -> Stage:
        """The stage that a function runs in."""
        raise NotImplementedError

    def op_sample(self, body: Body, instr: Instr) -> Code:
        """Sample with derivatives."""
        return self._sample(body, instr, "sample")

    def op_sample_bias(self, body: Body, instr: Instr) -> Code:
        """Sample with a bias."""
        return self._sample(body, instr, "sample", call("bias", self.value(body, instr.args[3])))

    def op_sample_level(self, body: Body, instr: Instr) -> Code:
        """Sample a level."""
        return self._sample(body, instr, "sample", call("level", self.value(body, instr.args[3])))

    def op_sample_grad(self, body: Body, instr: Instr) -> Code:
        """Sample with gradients."""
        kind = _GRADIENTS[self._dim(body, instr)]
        return self._sample(body, instr, "sample", call(kind, *self.values(body, instr.args[3:5])))

    def op_sample_compare(self, body: Body, instr: Instr) -> Code:
        """Sample and compare; without derivatives level 0 is meant."""
        rest = [self.value(body, instr.args[3])]
        if self.stage(body) is not Stage.FRAGMENT:
            rest.append(Code("level(0.0)"))
        return self._sample(body, instr, "sample_compare", *rest)

    def _sample(self, body: Body, instr: Instr, method: str, *rest: Code) -> Code:
        texture, sampler = (self.value(body, v).text for v in instr.args[:2])
        coordinates = self._coordinates(body, instr.args[2], self._dim(body, instr))
        return call(f"{texture}.{method}", Code(sampler), *coordinates, *rest)

    def _dim(self, body: Body, instr: Instr) -> Dim:
        t: Type = body.type(instr.args[0])
        assert isinstance(t, Texture)
        return t.dim

    def _coordinates(self, body: Body, value: int, dim: Dim) -> list[Code]:
        """The coordinates; of an array texture, the layer apart, rounded to even."""
        if dim is not Dim.D2_ARRAY:
            return [self.value(body, value)]
        place, layer = self._split(body, value)
        instr = body.forms.instrs.get(layer) if isinstance(layer, int) else None
        if instr is not None and instr.op == "const":
            return [place, Code(str(max(round(float(instr.imm[0])), 0)))]  # type: ignore[arg-type]
        code = layer if isinstance(layer, Code) else self.value(body, layer)
        return [place, call("uint", call("rint", code))]

    def _split(self, body: Body, value: int) -> tuple[Code, Code | int]:
        """The first two components of a vector, and the third."""
        made = body.instr(value)
        if made is not None and made.op == "construct" and len(made.args) in (2, 3):
            *first, last = made.args
            if len(first) == 2:
                kind = "int2" if "int" in self.type_name(made.type) else "float2"
                return call(kind, *self.values(body, tuple(first))), last
            if not self._is_scalar(body, first[0]):
                return self.value(body, first[0]), last
        text = self.primary(body, value)
        return Code(f"{text}.xy"), Code(f"{text}.z")

    def _is_scalar(self, body: Body, value: int) -> bool:
        return str(body.type(value)) in ("float", "int")

    def op_texel_fetch(self, body: Body, instr: Instr) -> Code:
        """One texel."""
        dim = self._dim(body, instr)
        texture = self.value(body, instr.args[0]).text
        lod = self._level(body, instr.args[2])
        if dim is Dim.D2_ARRAY:
            place, layer = self._split(body, instr.args[1])
            code = layer if isinstance(layer, Code) else self.value(body, layer)
            return call(f"{texture}.read", call("uint2", place), call("uint", code), *lod)
        kind = "uint3" if dim is Dim.D3 else "uint2"
        return call(f"{texture}.read", call(kind, self.value(body, instr.args[1])), *lod)

    def _level(self, body: Body, value: int) -> list[Code]:
        """A level as an argument; none for level 0."""
        instr = body.forms.instrs.get(value)
        if instr is not None and instr.op == "const":
            return [Code(str(instr.imm[0]))] if instr.imm[0] else []
        return [call("uint", self.value(body, value))]

    def op_texture_size(self, body: Body, instr: Instr) -> Code:
        """The size of a level."""
        dim = self._dim(body, instr)
        texture = self.value(body, instr.args[0]).text
        lod = self._level(body, instr.args[1])
        parts = [call(f"{texture}.get_{side}", *lod) for side in ("width", "height")]
        if dim is Dim.D3:
            parts.append(call(f"{texture}.get_depth", *lod))
        elif dim is Dim.D2_ARRAY:
            parts.append(Code(f"{texture}.get_array_size()"))
        return call(self.type_name(instr.type), *parts)
