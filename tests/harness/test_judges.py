"""The outside judges that every case goes through do refuse what is wrong."""

from __future__ import annotations

import pytest

from tests.harness import wgsl
from tests.harness.hlsl import hlsl_to_spirv
from tests.harness.msl.source import MslError
from tests.harness.msl.toolchain import compile_texts
from tests.harness.slang import slang_to_spirv
from tests.harness.validators import InvalidOutput
from tests.harness.worker import DriverError

_HLSL = """// dxc -T cs_6_2 -E main
RWByteAddressBuffer data : register(u0, space0);
[numthreads(1, 1, 1)]
void main() { BODY }
"""

_MSL = """#include <metal_stdlib>
using namespace metal;

kernel void run(device float* data [[buffer(0)]], uint3 i [[thread_position_in_grid]]) {
    BODY
}
"""

_WGSL = """
@fragment fn shade(@location(0) x: f32) -> @location(0) vec4f {
    BODY
    return vec4f(x);
}
"""


def test_dxc_and_slang_take_what_is_right() -> None:
    """So that what follows proves something."""
    text = _HLSL.replace("BODY", "data.Store(0, 1u);")
    assert hlsl_to_spirv(text, "compute")[1] == "main"
    assert slang_to_spirv(text, "compute")[1] == "main"


@pytest.mark.parametrize("body", ["data.Store(0, missing);", "int x = 0; x = (int)2147483647 + 2;"])
def test_dxc_refuses(body: str) -> None:
    """Errors, and warnings as well."""
    with pytest.raises(InvalidOutput, match="DXC"):
        hlsl_to_spirv(_HLSL.replace("BODY", body), "compute")


def test_slang_refuses() -> None:
    """What is not declared."""
    with pytest.raises(InvalidOutput, match="Slang"):
        slang_to_spirv(_HLSL.replace("BODY", "data.Store(0, missing);"), "compute")


@pytest.mark.parametrize("body", ["if x > 0.5 { let d = dpdx(x); }", "let y = 1 / 0;"])
def test_tint_refuses(body: str) -> None:
    """What Chrome would, though naga takes the first."""
    wgsl.validate(_WGSL.replace("BODY", "").encode())
    with pytest.raises(DriverError, match="Tint"):
        wgsl.validate(_WGSL.replace("BODY", body).encode())


@pytest.mark.parametrize(
    "body",
    ["thread float* p = &data[i.x]; *p = 1.0;", "float x = 1.0; device float& y = x; y = 2.0;"],
)
def test_address_spaces_of_metal_are_checked(body: str) -> None:
    """Which C++ does not know."""
    compile_texts({"good": _MSL.replace("BODY", "data[i.x] = 1.0;")})
    with pytest.raises(MslError):
        compile_texts({"bad": _MSL.replace("BODY", body)})
