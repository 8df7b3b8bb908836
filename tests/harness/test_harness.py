"""The harness itself: layouts known by heart, comparisons that fail, workers that come back."""

from __future__ import annotations

import numpy as np
import pytest

from tests.harness.cases import Expected, compare
from tests.harness.jobs import Dispatch, Outputs, Storage
from tests.harness.reference import STD140, STD430, array, measure, pack, unpack
from tests.harness.validators import InvalidOutput, glsl_to_spirv, validate_spirv
from tests.harness.worker import Driver, DriverError

SOURCE = """#version 450
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int data[]; };
void main() { data[0] = 7; }
"""


@pytest.mark.parametrize(
    ("spec", "std140", "std430"),
    [
        ("vec3", (16, 12), (16, 12)),
        ("half", (2, 2), (2, 2)),
        ("mat3", (16, 48), (16, 48)),
        ("mat3x2", (16, 48), (8, 24)),
        ("mat2x3", (16, 32), (16, 32)),
        (array("float", 3), (16, 48), (4, 12)),
        (array("vec3", 2), (16, 32), (16, 32)),
        ({"v": "vec3", "f": "float"}, (16, 16), (16, 16)),
        ({"f": "float"}, (16, 16), (4, 4)),
        ({"s": {"v": "vec3"}, "f": "float"}, (16, 32), (16, 32)),
        (array({"p": "vec2", "f": "float"}, 2), (16, 32), (8, 32)),
    ],
)
def test_alignment_and_size(spec: object, std140: tuple[int, int], std430: tuple[int, int]) -> None:
    """As the OpenGL specification's rules have it."""
    assert measure(spec, STD140) == std140  # type: ignore[arg-type]
    assert measure(spec, STD430) == std430  # type: ignore[arg-type]


def test_packing_places_every_component() -> None:
    """A float after a vec3 takes its fourth slot; matrix columns stand 16 bytes apart."""
    spec = {"v": "vec3", "f": "float", "m": "mat3x2"}
    value = {"v": [1, 2, 3], "f": 4, "m": [[5, 6], [7, 8], [9, 10]]}
    data = pack(spec, value, STD140, fill=0xFF)
    words = np.frombuffer(data, np.float32)
    assert words[:6].tolist() == [1, 2, 3, 4, 5, 6]
    assert words[8:10].tolist() == [7, 8]
    assert np.isnan(words[6:8]).all()
    assert unpack(spec, data, STD140).tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]


def test_a_wrong_value_fails() -> None:
    """And one within its tolerance does not."""
    found: Outputs = {(0, 0): np.array([1.0, 2.0], np.float32).tobytes()}
    compare(found, {(0, 0): Expected(np.array([1.0, 2.001], np.float32), atol=0.01)})
    with pytest.raises(AssertionError, match=r"1 of 2 values"):
        compare(found, {(0, 0): Expected(np.array([1.0, 2.001], np.float32), atol=1e-4)})
    with pytest.raises(AssertionError, match="no output"):
        compare(found, {(0, 1): Expected(np.zeros(2, np.float32))})


def test_invalid_outputs_are_refused() -> None:
    """With the validators' words."""
    with pytest.raises(InvalidOutput, match="undeclared"):
        glsl_to_spirv("#version 450\nvoid main() { x = 1; }", "compute")
    binary = bytearray(glsl_to_spirv(SOURCE, "compute"))
    validate_spirv(bytes(binary))
    binary[20:22] = b"\xff\xff"
    with pytest.raises(InvalidOutput, match="spirv-val"):
        validate_spirv(bytes(binary))


def test_the_driver_survives_bad_jobs(driver: Driver) -> None:
    """A job that does not fit its module fails alone."""
    binary = glsl_to_spirv(SOURCE, "compute")
    with pytest.raises(DriverError, match="declares a storage"):
        driver.run(Dispatch("main", (1, 1, 1)), (binary,))
    outputs = driver.run(Dispatch("main", (1, 1, 1), {(0, 0): Storage(bytes(4))}), (binary,))
    assert outputs == {(0, 0): b"\x07\x00\x00\x00"}


def test_a_worker_that_does_not_answer_is_replaced() -> None:
    """The next job finds a new one."""
    binary = glsl_to_spirv(SOURCE, "compute")
    job = Dispatch("main", (1, 1, 1), {(0, 0): Storage(bytes(4))})
    impatient = Driver(time_limit=0.0)
    with pytest.raises(DriverError, match="hangs"):
        impatient.run(job, (binary,))
    impatient.time_limit = 30.0
    assert impatient.run(job, (binary,)) == {(0, 0): b"\x07\x00\x00\x00"}
    impatient.close()
