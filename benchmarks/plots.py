"""Plots as SVG: a bar for each subject, and lines over logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

_WIDTH, _ROW, _LABELS, _FIGURES = 720, 14, 190, 44
_COLORS = ("#4477aa", "#cc6677", "#228833", "#aa3377", "#777777")
_STYLE = (
    "<style>text{font:11px sans-serif;fill:#333}.t{font-weight:bold}"
    "line{stroke:#bbb}.one{stroke:#333}</style>"
)


def bars(title: str, ratios: Mapping[str, float]) -> str:
    """A bar for each ratio, the least first, with a line at 1; green below it and red above."""
    order = sorted(ratios, key=lambda name: ratios[name])
    most = max([1.1, *ratios.values()])
    scale = (_WIDTH - _LABELS - _FIGURES) / most
    height = 30 + _ROW * len(order)
    parts = [_open(_WIDTH, height), _text(4, 14, title, "t")]
    for at, name in enumerate(order):
        ratio, y = ratios[name], 24 + _ROW * at
        color = _COLORS[1] if ratio > 1.005 else _COLORS[2] if ratio < 0.995 else _COLORS[4]
        parts.append(_text(_LABELS - 6, y + 10, name, anchor="end"))
        parts.append(
            f'<rect x="{_LABELS}" y="{y}" width="{ratio * scale:.1f}" height="{_ROW - 3}" '
            f'fill="{color}"/>'
        )
        parts.append(_text(_LABELS + ratio * scale + 4, y + 10, f"{ratio:.2f}"))
    x = _LABELS + scale
    parts.append(f'<line class="one" x1="{x:.1f}" y1="20" x2="{x:.1f}" y2="{height - 6}"/>')
    return "\n".join([*parts, "</svg>", ""])


def lines(title: str, series: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """A line for each series of positive points, both axes logarithmic."""
    width, height, left, bottom = 560, 340, 60, 30
    points = [p for each in series.values() for p in each]
    x_range = _decades([x for x, _ in points])
    y_range = _decades([y for _, y in points])

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - x_range[0]) / (x_range[1] - x_range[0])
        up = (math.log10(y) - y_range[0]) / (y_range[1] - y_range[0])
        return left + across * (width - left - 150), height - bottom - up * (height - bottom - 30)

    parts = [_open(width, height), _text(4, 14, title, "t")]
    for decade in range(x_range[0], x_range[1] + 1):
        (x, y0), (_, y1) = place(10**decade, 10 ** y_range[0]), place(10**decade, 10 ** y_range[1])
        parts.append(f'<line x1="{x:.1f}" y1="{y0:.1f}" x2="{x:.1f}" y2="{y1:.1f}"/>')
        parts.append(_text(x, y0 + 14, f"{10**decade:,}", anchor="middle"))
    for decade in range(y_range[0], y_range[1] + 1):
        (x0, y), (x1, _) = (
            place(10 ** x_range[0], 10.0**decade),
            place(10 ** x_range[1], 10.0**decade),
        )
        parts.append(f'<line x1="{x0:.1f}" y1="{y:.1f}" x2="{x1:.1f}" y2="{y:.1f}"/>')
        parts.append(_text(x0 - 4, y + 4, f"{10.0**decade:g}", anchor="end"))
    for (name, each), color in zip(series.items(), _COLORS, strict=False):
        at = [place(x, y) for x, y in each]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts.append(_text(at[-1][0] + 6, at[-1][1] + 4, name))
    return "\n".join([*parts, "</svg>", ""])


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around some numbers."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _open(width: int, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><rect width="100%" height="100%" fill="#fff"/>{_STYLE}'
    )


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    marked = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{marked}>{escape(text)}</text>'
