"""A wheel works in an empty virtual environment, outside the checkout, rules included."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]

SHADER = """
uniform tint: vec4
@entry(fragment)
function shade(uv: vec2) -> (color: vec4)
    return { color = tint * 1.0 + vec4(uv, 0.0, 0.0) * (2.0 + 3.0) }
end
"""


def _run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_wheel(tmp_path: Path) -> None:
    _run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    home = tmp_path / "venv"
    venv.create(home, with_pip=True)
    _run(home / "bin" / "pip", "install", "--quiet", wheel, cwd=tmp_path)
    (tmp_path / "shade.luma").write_text(SHADER)
    luma = home / "bin" / "luma"
    text = _run(luma, "compile", "shade.luma", "--target=glsl", "--opt=aggressive", cwd=tmp_path)
    assert "#version 450" in text and "5.0" in text
    _run(luma, "compile", "shade.luma", "--target=spirv", "--opt=aggressive", cwd=tmp_path)
    assert (tmp_path / "shade.spv").read_bytes()[:4] == b"\x03\x02\x23\x07"
    _run(luma, "compile", "shade.luma", "--lsb", "-o", "shade.spv", cwd=tmp_path)
    assert "fragment shader" in _run(luma, "lume", "lsb", "shade.spv.lsb", cwd=tmp_path)
    for tool in ("LumeShaderCompiler", "LumeSnippetCompiler"):
        assert "--sourceFile" in _run(home / "bin" / tool, cwd=tmp_path)
    program = "import luma.rules, os; print(len(os.listdir(os.path.dirname(luma.rules.__file__))))"
    assert int(_run(home / "bin" / "python", "-c", program, cwd=tmp_path)) > 3
