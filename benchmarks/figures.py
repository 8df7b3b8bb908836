"""The arithmetic of the benchmarks: means of ratios, fitted exponents, interleaved timings."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median


def geometric_mean(values: Iterable[float]) -> float:
    """The geometric mean of positive numbers; 1 of none."""
    logs = [math.log(v) for v in values]
    return math.exp(sum(logs) / len(logs)) if logs else 1.0


def fitted_exponent(points: Sequence[tuple[float, float]]) -> float:
    """The b of the least-squares fit of y = a * x**b.  Raises ValueError for fewer than two x."""
    xs = [math.log(x) for x, _ in points]
    ys = [math.log(y) for _, y in points]
    if len(set(xs)) < 2:
        raise ValueError("an exponent needs two sizes")
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - mean_x) ** 2 for x in xs)


def interleaved(
    runs: Mapping[str, Callable[[], object]], rounds: int, clock: Callable[[], float]
) -> dict[str, list[float]]:
    """Seconds of each run, round by round, so that a change of the machine's pace meets all alike.

    The first round does not count.  Every other round goes backwards, as a run may favour the next.
    """
    times: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        order = list(runs.items())
        for name, run in reversed(order) if number % 2 else order:
            start = clock()
            run()
            spent = clock() - start
            if number:
                times[name].append(spent)
    return times


def medians(times: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The median of each."""
    return {name: median(values) for name, values in times.items()}
