"""What a GPU would execute: instructions of AMD's RDNA 2 by Mesa's compiler, without a GPU.

``python -m benchmarks.gpu_instructions [--json FILE]``

Every test shader at every level, and the PBR surface by glslc beside it.  Mesa's RADV driver
compiles for a GPU that is not there (``RADV_FORCE_FAMILY``) and tells the statistics of each stage.
Counts are of the whole stage as compiled, loops once.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import vulkan as vk

from benchmarks.compile_pbr import OPPONENT, tool
from tests.harness.cases import Case, discover
from tests.harness.compile import LEVELS, to_spirv
from tests.harness.jobs import Dispatch, Draw, Job, Slot
from tests.harness.vulkan_device import Device, GpuBuffer
from tests.harness.vulkan_host import Host

FAMILY = "navi21"
DRIVER = "/usr/share/vulkan/icd.d/radeon_icd*.json"
EXTENSION = "VK_KHR_pipeline_executable_properties"

Statistics = dict[str, int]


class OfflineDevice(Device):
    """RADV for a GPU that is not there."""

    def __init__(self) -> None:
        os.environ["RADV_FORCE_FAMILY"] = FAMILY
        super().__init__(DRIVER)

    def _create(self) -> Any:
        wanted = vk.VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR(
            pipelineExecutableInfo=1
        )
        return self._create_with((EXTENSION,), wanted)


class Counter(Host):
    """Makes pipelines and asks what they became; runs nothing."""

    pipeline_flags = vk.VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR

    def __init__(self) -> None:
        super().__init__(OfflineDevice())

    def count(self, job: Job, modules: tuple[bytes, ...]) -> Statistics:
        """The instructions of each stage of a job's pipeline, by the driver's name of the stage."""
        try:
            bound = self._bind(job.resources, job.push, modules)
            if isinstance(job, Dispatch):
                pipeline = self._compute_pipeline(job, modules[0], bound)
            else:
                vertex, fragment = modules
                render_pass = self._render_pass(job)
                pipeline = self._graphics_pipeline(job, vertex, fragment, bound, render_pass)
            return self._statistics(pipeline)
        finally:
            self.device.release()

    def _allocate_sets(self, layouts: list[Any]) -> list[Any]:
        return []  # nothing is bound, as nothing runs

    def _write_sets(
        self, slots: Mapping[Slot, tuple[str, Any]], sets: list[Any]
    ) -> dict[Slot, GpuBuffer]:
        return {}

    def _statistics(self, pipeline: Any) -> Statistics:
        device = self.device.handle
        properties = vk.vkGetDeviceProcAddr(device, "vkGetPipelineExecutablePropertiesKHR")
        statistics = vk.vkGetDeviceProcAddr(device, "vkGetPipelineExecutableStatisticsKHR")
        found: Statistics = {}
        stages = properties(device, vk.VkPipelineInfoKHR(pipeline=pipeline))
        for index, stage in enumerate(stages):
            info = vk.VkPipelineExecutableInfoKHR(pipeline=pipeline, executableIndex=index)
            for each in statistics(device, info):
                if _text(each.name) == "Instructions":
                    found[_text(stage.name)] = int(each.value.u64)
        return found


def _text(name: Any) -> str:
    return name if isinstance(name, str) else vk.ffi.string(name).decode()


def shader_cases() -> tuple[Case, ...]:
    """One case of every shader file that has its own."""
    chosen: dict[str, Case] = {}
    for case in discover():
        for source in (case.fragment_source, case.source):
            if source is not None and source.endswith(".luma"):
                chosen.setdefault(source, case)
                break
    return tuple(chosen.values())


def count_case(counter: Counter, case: Case, level: str) -> Statistics:
    """The instructions of a case's stages when Luma compiles it."""
    modules = tuple(to_spirv(*stage, "spirv", level)[0] for stage in case.stages())
    return counter.count(case.job(), modules)


def count_opponent(counter: Counter, case: Case, option: str) -> Statistics:
    """The same pipeline with the fragment stage that glslc made."""
    vertex = to_spirv(*case.stages()[0], "spirv", "none")[0]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "out.spv")
        command = [tool("glslc"), "--target-env=vulkan1.1", option, str(OPPONENT), "-o"]
        subprocess.run([*command, str(output)], check=True)
        fragment = output.read_bytes()
    job = case.job()
    assert isinstance(job, Draw)
    return counter.count(replace(job, fragment="main"), (vertex, fragment))


def run() -> dict[str, dict[str, Statistics]]:
    """Instructions by shader, way of compiling, and stage."""
    counter = Counter()
    found: dict[str, dict[str, Statistics]] = {}
    for case in shader_cases():
        rows = {level: count_case(counter, case, level) for level in LEVELS}
        if case.name == "pbr":
            for option in ("-O0", "-O"):
                rows[f"glslc {option}"] = count_opponent(counter, case, option)
        found[case.name] = rows
    return found


def report(found: Mapping[str, Mapping[str, Statistics]]) -> str:
    """The figures as text: all stages of a pipeline together."""
    lines = [f"instructions on {FAMILY}, all stages", ""]
    lines.append(f"{'':26}" + "".join(f"{level:>12}" for level in LEVELS))
    for name, rows in found.items():
        counts = "".join(f"{sum(rows[level].values()):12}" for level in LEVELS)
        others = [f"{k}: {sum(v.values())}" for k, v in rows.items() if k not in LEVELS]
        lines.append(f"{name:26}{counts}" + "".join(f"   {o}" for o in others))
    return "\n".join(lines)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Count GPU instructions, without a GPU.")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    found = run()
    print(report(found))
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
