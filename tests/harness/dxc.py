"""Microsoft's shader compiler, called in this process: HLSL to SPIR-V, and to DXIL as a check.

The library speaks COM; its interfaces are called by their place in the table of functions.
``python -m tests.harness.dxc`` serves pickled requests on its standard input.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import pickle
import struct
import sys
import uuid
from functools import lru_cache
from pathlib import Path
from types import ModuleType

_FETCH = Path(__file__).parents[2] / "tools" / "fetch_dxc.py"

#: Functions of IUnknown that precede an interface's own: this build has two destructors among them.
_FIRST = 5
_RELEASE = 2
_UTF_8 = 65001

#: Asks for the text of the output, in place of the messages.
DISASSEMBLE = "disassemble"

_COMPILER = uuid.UUID("73e22d93-e6ce-47f3-b5bf-f0664f39c1b0")
_COMPILER_3 = uuid.UUID("228b4687-5a6a-4730-900c-9702b2203f54")
_RESULT = uuid.UUID("58346cda-dde7-4497-9461-6f87af5e0659")

_PROFILES = {"vertex": "vs_6_2", "fragment": "ps_6_2", "compute": "cs_6_2"}


class _Buffer(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_char_p),
        ("size", ctypes.c_size_t),
        ("encoding", ctypes.c_uint32),
    ]


def _fetcher() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fetch_dxc", _FETCH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@lru_cache(maxsize=1)
def _compiler() -> ctypes.c_void_p:
    library = ctypes.CDLL(str(_fetcher().fetch()))
    create = library.DxcCreateInstance
    create.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)]
    made = ctypes.c_void_p()
    status = create(_COMPILER.bytes_le, _COMPILER_3.bytes_le, ctypes.byref(made))
    if status != 0:
        raise RuntimeError(f"DXC cannot be started ({status & 0xFFFFFFFF:#x})")
    return made


def _call(
    object_: ctypes.c_void_p, index: int, *args: object, result: type = ctypes.c_int32
) -> object:
    """Call a function of an interface; arguments are ctypes values."""
    table = ctypes.cast(object_, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)))[0]
    kinds = [ctypes.c_void_p, *(type(arg) for arg in args)]
    return ctypes.CFUNCTYPE(result, *kinds)(table[index])(object_, *args)


def _take(blob: ctypes.c_void_p) -> bytes:
    """The bytes of a blob, which is then given back."""
    if not blob:
        return b""
    size = _call(blob, _FIRST + 1, result=ctypes.c_size_t)
    data = _call(blob, _FIRST, result=ctypes.c_void_p)
    found = ctypes.string_at(data, size) if size else b""  # type: ignore[arg-type]
    _call(blob, _RELEASE, result=ctypes.c_uint32)
    return found


def _pointer(value: object) -> ctypes.c_void_p:
    return ctypes.c_void_p(ctypes.addressof(value))  # type: ignore[arg-type]


def compile_hlsl(text: str, stage: str, entry: str, *flags: str) -> tuple[bytes, str]:
    """The output (nothing if there are errors), and what the compiler says."""
    source = text.encode()
    buffer = _Buffer(source, len(source), _UTF_8)
    words = ["-T", _PROFILES[stage], "-E", entry, "-HV", "2021", "-enable-16bit-types", *flags]
    given = (ctypes.c_wchar_p * len(words))(*words)
    result = ctypes.c_void_p()
    status = _call(
        _compiler(),
        _FIRST,
        _pointer(buffer),
        _pointer(given),
        ctypes.c_uint32(len(words)),
        ctypes.c_void_p(None),
        ctypes.c_char_p(_RESULT.bytes_le),
        _pointer(result),
    )
    if status:
        raise RuntimeError(f"DXC failed ({int(status) & 0xFFFFFFFF:#x})")  # type: ignore[call-overload]
    failed = ctypes.c_int32()
    output, messages = ctypes.c_void_p(), ctypes.c_void_p()
    _call(result, _FIRST, _pointer(failed))
    _call(result, _FIRST + 1, _pointer(output))
    _call(result, _FIRST + 2, _pointer(messages))
    said, made = _take(messages).decode(), _take(output)
    _call(result, _RELEASE, result=ctypes.c_uint32)
    return (b"" if failed.value else made), said


def disassemble(output: bytes) -> str:
    """DXIL as text, with comments that tell where everything in buffers lies."""
    kept = ctypes.create_string_buffer(output, len(output))
    buffer = _Buffer(ctypes.cast(kept, ctypes.c_char_p), len(output), 0)
    result, text = ctypes.c_void_p(), ctypes.c_void_p()
    asked = ctypes.c_char_p(_RESULT.bytes_le)
    status = _call(_compiler(), _FIRST + 1, _pointer(buffer), asked, _pointer(result))
    if status:
        raise RuntimeError(f"DXC cannot disassemble ({int(status) & 0xFFFFFFFF:#x})")  # type: ignore[call-overload]
    _call(result, _FIRST + 1, _pointer(text))
    said = _take(text).decode()
    _call(result, _RELEASE, result=ctypes.c_uint32)
    return said


def main() -> None:
    """Serve requests of the form ((text, stage, entry, flags), ()) on the standard streams."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = sys.stdin.buffer
    length = struct.Struct("<Q")
    while header := requests.read(length.size):
        (text, stage, entry, flags), _ = pickle.loads(requests.read(length.unpack(header)[0]))
        asked = [flag for flag in flags if flag != DISASSEMBLE]
        output, said = compile_hlsl(text, stage, entry, *asked)
        if DISASSEMBLE in flags and output:
            said = disassemble(output)
        message = pickle.dumps((output, said))
        answers.write(length.pack(len(message)) + message)
        answers.flush()


if __name__ == "__main__":
    main()
