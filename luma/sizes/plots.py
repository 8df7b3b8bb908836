"""Plots of a report as SVG: bars that carry their numbers, for light and dark surroundings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from luma.sizes.report import Report
from luma.statistics import CLASSES

WIDTH = 960
_LABEL, _VALUE, _BAR, _GAP, _TOP = 250, 70, 15, 12, 92

#: Colours that can be told apart in both schemes and by the colour-blind (after Okabe and Ito).
STYLE = """
svg { --ink: #1b1f24; --quiet: #57606a; --grid: #d0d7de; --ground: #ffffff;
  --none: #8c959f; --basic: #0969a8; --aggressive: #c2510c;
  --alu: #0969a8; --transcendental: #c2510c; --memory: #0a7d5a; --texture: #a63d80;
  --control: #a67c00; --data: #8c959f;
  background: var(--ground); font: 14px system-ui, "DejaVu Sans", sans-serif; }
@media (prefers-color-scheme: dark) { svg { --ink: #e6edf3; --quiet: #9da7b3; --grid: #363d46;
  --ground: #0d1117; --none: #8b949e; --basic: #58b0ea; --aggressive: #ff9a57;
  --alu: #58b0ea; --transcendental: #ff9a57; --memory: #45c79b; --texture: #e58ac2;
  --control: #e3b93c; --data: #8b949e; } }
svg text { fill: var(--ink); }
svg .quiet { fill: var(--quiet); font-size: 13px; paint-order: stroke; stroke: var(--ground);
  stroke-width: 4px; }
svg .title { font-size: 17px; font-weight: 600; }
svg line { stroke: var(--grid); }
svg .mark { stroke: var(--quiet); stroke-dasharray: 4 3; }
""".strip()


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its parts, each with its series and its value, and what is written after it."""

    parts: tuple[tuple[str, float], ...]
    text: str

    @property
    def value(self) -> float:
        """How long it is."""
        return sum(value for _, value in self.parts)


@dataclass(frozen=True, slots=True)
class Plot:
    """Groups of horizontal bars over one axis; ``mark`` is a value to draw a line at."""

    title: str
    axis: str
    series: tuple[str, ...]
    groups: tuple[tuple[str, tuple[Bar, ...]], ...]
    mark: float | None = None

    @property
    def height(self) -> int:
        """How high it is drawn."""
        bars = sum(len(bars) for _, bars in self.groups)
        return _TOP + bars * _BAR + len(self.groups) * _GAP + 52


def plots(report: Report) -> list[Plot]:
    """The plots of a report; those that would have nothing to show are left out."""
    levels = tuple(o for o in report.levels if o != "none")
    found = [_means(report, levels), _classes(report)]
    if levels:
        found += [_by_shader(report, target, levels) for target in report.targets]
    return [p for p in found if any(bars for _, bars in p.groups)]


def _measure_of(report: Report, target: str) -> str:
    """What a target's size is told by: that of the text without white space, or of the binary."""
    texts = [r for r in report.rows if r.target == target and r.minified is not None]
    return "minified" if texts else "bytes"


def _percent_bar(level: str, ratio: float) -> Bar:
    return Bar(((level, 100 * ratio),), f"{100 * ratio:.1f} %")


def _means(report: Report, levels: Sequence[str]) -> Plot:
    groups = []
    for target in report.targets:
        name = _measure_of(report, target)
        means = {s.opt: s.means[name] for s in report.summaries() if s.target == target}
        bars = [_percent_bar(o, m) for o in levels if (m := means.get(o)) is not None]
        what = "bytes" if name == "bytes" else "minified text"
        groups.append((f"{target} ({what})", tuple(bars)))
    return Plot(
        f"Size by target, geometric mean over {len(report.shaders)} shaders",
        "percent of the size at the level none (shorter is smaller)",
        tuple(levels),
        tuple(groups),
        100.0,
    )


def _classes(report: Report) -> Plot:
    target = report.targets[0]
    bars = []
    for opt in report.levels:
        rows = [r for r in report.rows if (r.target, r.opt) == (target, opt)]
        parts = tuple((c, float(sum(r.by_class.get(c, 0) for r in rows))) for c in CLASSES)
        if rows:
            bars.append((opt, (Bar(parts, f"{sum(v for _, v in parts):.0f}"),)))
    return Plot(
        f"Instructions by class, all shaders together ({target})",
        "instructions of the optimized intermediate form",
        CLASSES,
        tuple(bars),
    )


def _by_shader(report: Report, target: str, levels: Sequence[str]) -> Plot:
    name = _measure_of(report, target)
    groups = []
    for shader in report.shaders:
        bars = []
        for opt in levels:
            row = report.row(shader, target, opt)
            change = None if row is None else report.change(row, name)
            if change is not None:
                bars.append(_percent_bar(opt, change))
        if bars:
            groups.append((_short(shader), tuple(bars), bars[-1].value))
    groups.sort(key=lambda g: (g[2], g[0]))
    what = "bytes" if name == "bytes" else "minified text"
    return Plot(
        f"{target}: {what} of each shader, least at {levels[-1]} first",
        "percent of the size at the level none (shorter is smaller)",
        tuple(levels),
        tuple((label, bars) for label, bars, _ in groups),
        100.0,
    )


def _short(shader: str) -> str:
    """A shader's name where there is little room: the end of its path."""
    name = shader.rsplit("/", 1)[-1].removesuffix(".luma")
    return name if len(name) <= 32 else f"...{name[-29:]}"


# ---------------------------------------------------------------- drawing


def svg(report: Report) -> str:
    """All plots of a report as one SVG file."""
    drawn, y = [], 0
    for plot in plots(report):
        drawn.append(f'<g transform="translate(0 {y})">{draw(plot)}</g>')
        y += plot.height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" '
        f'height="{y}" role="img" aria-label="Sizes of shaders"><style>{STYLE}</style>\n'
        f'<rect width="{WIDTH}" height="{y}" style="fill: var(--ground)"/>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def figure(plot: Plot) -> str:
    """One plot as an SVG element of its own."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {plot.height}" role="img" '
        f'aria-label="{escape(plot.title)}">{draw(plot)}</svg>'
    )


def draw(plot: Plot) -> str:
    """What is inside a plot's SVG."""
    room = WIDTH - _LABEL - _VALUE - 20
    values = [bar.value for _, bars in plot.groups for bar in bars]
    ticks = _ticks(max([*values, plot.mark or 0.0, 1.0]))
    scale = room / ticks[-1]
    bottom = plot.height - 46
    parts = [f'<text class="title" x="16" y="30">{escape(plot.title)}</text>', _legend(plot)]
    for tick in ticks:
        x = _LABEL + tick * scale
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 12}" y2="{bottom}"/>')
        parts.append(
            f'<text class="quiet" x="{x:.1f}" y="{bottom + 18}" '
            f'text-anchor="middle">{tick:g}</text>'
        )
    if plot.mark is not None:
        x = _LABEL + plot.mark * scale
        parts.append(
            f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 12}" y2="{bottom}"/>'
        )
    y = float(_TOP)
    for label, bars in plot.groups:
        middle = y + len(bars) * _BAR / 2 + 5
        parts.append(
            f'<text x="{_LABEL - 10}" y="{middle:.1f}" text-anchor="end">{escape(label)}</text>'
        )
        for bar in bars:
            parts += _bar(bar, y, scale)
            y += _BAR
        y += _GAP
    parts.append(
        f'<text class="quiet" x="{_LABEL + room / 2:.1f}" y="{bottom + 38}" '
        f'text-anchor="middle">{escape(plot.axis)}</text>'
    )
    return "\n".join(parts)


def _bar(bar: Bar, y: float, scale: float) -> list[str]:
    parts, x = [], float(_LABEL)
    for series, value in bar.parts:
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{value * scale:.1f}" height="{_BAR - 2}" '
            f'style="fill: var(--{series})"><title>{escape(series)}: {value:.1f}</title></rect>'
        )
        x += value * scale
    parts.append(
        f'<text class="quiet" x="{x + 6:.1f}" y="{y + _BAR - 3:.1f}">{escape(bar.text)}</text>'
    )
    return parts


def _legend(plot: Plot) -> str:
    parts, x = [], 16.0
    for name in plot.series:
        parts.append(f'<rect x="{x}" y="44" width="14" height="14" style="fill: var(--{name})"/>')
        parts.append(f'<text x="{x + 20}" y="56">{escape(name)}</text>')
        x += 44 + 8.5 * len(name)
    return "".join(parts)


def _ticks(most: float) -> list[float]:
    """Round numbers from 0 to just above the greatest value."""
    rough = most / 6
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough)
    return [n * step for n in range(math.ceil(most / step - 1e-9) + 1)]
