"""Work on threads that stay."""

from __future__ import annotations

import threading

import pytest

from luma.stack import Worker


class _Bound:
    """Notes the thread that it dies on."""

    deaths: list[str] = []

    def __del__(self) -> None:
        self.deaths.append(threading.current_thread().name)


def test_what_a_failure_held_dies_where_it_was_made() -> None:
    worker = Worker("bound")

    def work() -> None:
        held = _Bound()
        try:
            raise KeyError(id(held))
        except KeyError as error:
            raise ValueError("no") from error

    _Bound.deaths.clear()
    with pytest.raises(ValueError, match="no"):
        worker.run(work)
    worker.run(lambda: None)
    assert _Bound.deaths == ["bound"]
    worker.stop()
