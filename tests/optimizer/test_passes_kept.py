"""The plain passes: what depends on neighbours, and what all passes keep."""

from __future__ import annotations

from luma.optimizer.dead import remove_dead
from tests.optimizer.sources import (
    DIAMOND,
    last_function,
    lowered,
    main_of,
    operations,
    optimized,
)


def test_samples_and_derivatives_stay_in_their_blocks() -> None:
    module = lowered("""
        uniform image: sampler2D
        @entry(fragment)
        function main(@location(0) uv: vec2) -> (@location(0) color: vec4)
          let c = sample(image, uv)
          let d = dfdx(uv.x)
          let r = vec4(0.0)
          if uv.x > 0.5 then r = c * d end
          return { color = r }
        end""")
    function = optimized(module, "aggressive").function("main")
    first = [i.op for i in function.blocks[0].instrs]
    assert "sample" in first and "dfdx" in first


def test_equal_samples_of_one_block_are_one() -> None:
    module = lowered("""
        uniform image: sampler2D
        @entry(fragment)
        function main(@location(0) uv: vec2) -> (@location(0) color: vec4)
          return { color = sample(image, uv) + sample(image, uv).zyxw }
        end""")
    assert operations(optimized(module).function("main")).count("sample") == 1


def test_names_are_kept() -> None:
    function = main_of("let wave = sqrt(float(n)) out[0] = wave * wave + wave")
    assert "wave" in function.names.values()


def test_remove_dead_keeps_what_is_used() -> None:
    function = last_function(DIAMOND.replace("CONDITION", "0").replace("WORK", "neg"))
    cleaned = remove_dead(function, {})
    assert operations(cleaned) == ["add", "neg"]
    assert remove_dead(cleaned, {}) is cleaned
