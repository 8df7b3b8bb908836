"""The command line: the only room that prints, reads and writes named files, or exits."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import click

#: Exit statuses: the input has errors; wrong usage (click's own); a fault of the compiler's; what
#: shells say of a program that was interrupted.
INPUT_ERROR, USAGE_ERROR, INTERNAL_ERROR, INTERRUPTED = 1, 2, 3, 130


def main() -> None:
    """Run ``luma`` with the process's arguments and exit."""
    guarded(_luma)


def _luma() -> None:
    from luma.cli.commands import luma

    sys.exit(status_of(luma, "luma"))


def status_of(command: click.Command, name: str) -> int:
    """Run a command under a name; the exit status of what it does not exit with itself."""
    import click

    try:
        status = command.main(prog_name=name, standalone_mode=False)
    except click.ClickException as fault:
        fault.show()
        return fault.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    return status if isinstance(status, int) else 0


def guarded(command: Callable[[], None]) -> None:
    """Run a command of the process's own; a fault of the compiler's is told, never thrown."""
    gc.disable()  # a compilation leaves few cycles, and looking for them takes 5 % of its time
    try:
        command()
    except BrokenPipeError:  # the reader of our output has left; that is its right
        _leave(INPUT_ERROR)
    except KeyboardInterrupt:
        _leave(INTERRUPTED, "interrupted")
    except OSError as fault:
        if fault.filename is not None:
            _fail(fault)
        problem = f"cannot write standard output: {fault.strerror}"  # whole files are guarded
        _leave(INPUT_ERROR, f"error[E0808]: {problem}")
    except Exception as fault:  # whatever the stages did not catch themselves
        _fail(fault)
    finally:
        gc.freeze()  # nor need the interpreter look for them when it ends


def _fail(fault: Exception) -> NoReturn:
    from luma.faults import internal_error

    print(internal_error("the command line", fault).render(), file=sys.stderr)
    sys.exit(INTERNAL_ERROR)


def _leave(status: int, message: str | None = None) -> NoReturn:
    """Exit at once: nobody waits for what other threads and processes still do."""
    with suppress(OSError, ValueError):
        if message is not None:
            print(message, file=sys.stderr, flush=True)
    if "concurrent.futures.process" in sys.modules:
        sys.exit(status)  # they have ended, and what they shared is to be given back
    os._exit(status)
