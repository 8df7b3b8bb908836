"""Dominators found in one pass are those that networkx finds, whatever the graph."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from luma.ir import cfg


def _graph(draw: random.Random, size: int, extra: int) -> dict[int, tuple[int, ...]]:
    """A graph in which 0 leads everywhere, by a tree and some more edges in any direction."""
    ways: dict[int, list[int]] = {n: [] for n in range(size)}
    for n in range(1, size):
        ways[draw.randrange(n)].append(n)
    for _ in range(extra):
        ways[draw.randrange(size)].append(draw.randrange(1, size))
    return {n: tuple(targets) for n, targets in ways.items()}


@pytest.mark.parametrize("seed", range(200))
def test_agrees_with_networkx(seed: int) -> None:
    draw = random.Random(seed)
    size = draw.randrange(2, 14)
    ways = _graph(draw, size, draw.randrange(size))
    found = cfg.immediate_dominators(cfg._reverse_postorder(0, ways), ways)
    graph = nx.DiGraph([(a, b) for a, targets in ways.items() for b in targets])
    expected = dict(nx.immediate_dominators(graph, 0))
    expected.pop(0, None)
    found.pop(0, None)
    assert found == expected


def test_irreducible_graphs_are_left_to_networkx(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    plain = cfg._any_graph

    def watched(entry: int, ways: dict[int, tuple[int, ...]]) -> dict[int, int]:
        asked.append(entry)
        return plain(entry, ways)

    monkeypatch.setattr(cfg, "_any_graph", watched)
    loop = {0: (1,), 1: (2, 3), 2: (1,), 3: ()}
    assert cfg.immediate_dominators((0, 1, 3, 2), loop) == {1: 0, 2: 1, 3: 1} and not asked
    crossed = {0: (1, 2), 1: (2,), 2: (1,)}
    order = cfg._reverse_postorder(0, crossed)
    assert {k: v for k, v in cfg.immediate_dominators(order, crossed).items() if k} == {1: 0, 2: 0}
    assert asked == [0]
