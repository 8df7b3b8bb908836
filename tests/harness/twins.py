"""Runs the entries of the benchmarks' corpus: what Luma makes of them, and their twins."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from benchmarks.corpus.entry import Entry
from benchmarks.corpus.partner import fragment_glsl, fragment_wgsl, vertex_glsl, vertex_wgsl
from tests.harness import wgsl
from tests.harness.cases import Expected, Key
from tests.harness.compile import to_spirv
from tests.harness.hlsl import hlsl_to_spirv
from tests.harness.jobs import Dispatch, Draw, Job, Outputs, Storage
from tests.harness.validators import glsl_to_spirv, validate_spirv
from tests.harness.worker import Driver


def luma_module(entry: Entry, level: str) -> tuple[bytes, str]:
    """Valid SPIR-V by Luma at a level, and the entry point's name."""
    return to_spirv(entry.luma.name, entry.entry, entry.stage, "spirv", level)


@lru_cache(maxsize=256)
def _twin_module(text: str, language: str, stage: str) -> tuple[bytes, str]:
    binary, name = (
        (glsl_to_spirv(text, stage), "main") if language == "glsl" else hlsl_to_spirv(text, stage)
    )
    validate_spirv(binary)
    return binary, name


def twin_module(entry: Entry, language: str) -> tuple[bytes, str]:
    """Valid SPIR-V of a twin in GLSL or HLSL, and the entry point's name.  Raises InvalidOutput."""
    text = entry.twins[language].read_text(encoding="utf-8")
    return _twin_module(text, language, entry.stage)


def run_luma(entry: Entry, level: str, driver: Driver) -> Outputs:
    """What an entry gives as SPIR-V by Luma at a level."""
    return _run(entry, luma_module(entry, level), driver)


def run_twin(entry: Entry, language: str, driver: Driver) -> Outputs:
    """What a twin gives."""
    if language == "wgsl":
        return _run_wgsl(entry)
    return _run(entry, twin_module(entry, language), driver)


def expected(entry: Entry, outputs: Outputs) -> dict[Key, Expected]:
    """Outputs as what others must agree with; a buffer that kept its bytes must keep them."""
    found: dict[Key, Expected] = {}
    for key, values in outputs.items():
        if isinstance(values, bytes):
            if is_unchanged(entry, key, values):
                found[key] = Expected(np.frombuffer(values, np.uint8))
                continue
            assert isinstance(key, tuple)
            values = np.frombuffer(values, entry.reads.get(key, "float32"))
        found[key] = Expected(values, entry.atol, entry.rtol, outliers=entry.outliers)
    return found


def is_unchanged(entry: Entry, key: Key, values: bytes) -> bool:
    """Whether a buffer holds after a run what it held before."""
    assert isinstance(key, tuple)
    before = entry.job().resources[key]
    return isinstance(before, Storage) and before.data == values


def _run(entry: Entry, module: tuple[bytes, str], driver: Driver) -> Outputs:
    job = entry.job()
    binary, name = module
    if isinstance(job, Dispatch):
        return driver.run(replace(job, entry=name), (binary,))
    if entry.stage == "fragment":
        first, _ = _twin_module(vertex_glsl(job), "glsl", "vertex")
        return driver.run(replace(job, vertex="main", fragment=name), (first, binary))
    second, _ = _twin_module(fragment_glsl(entry.varyings), "glsl", "fragment")
    return driver.run(replace(job, vertex=name, fragment="main"), (binary, second))


def _run_wgsl(entry: Entry) -> Outputs:
    job: Job = entry.job()
    text = entry.twins["wgsl"].read_bytes()
    if isinstance(job, Dispatch):
        return wgsl.driver().run(replace(job, entry=entry.entry), (text,))
    assert isinstance(job, Draw)
    if entry.stage == "fragment":
        named = replace(job, vertex="pass_on", fragment=entry.entry)
        return wgsl.driver().run(named, (vertex_wgsl(job).encode(), text))
    named = replace(job, vertex=entry.entry, fragment="show")
    return wgsl.driver().run(named, (text, fragment_wgsl(entry.varyings).encode()))
