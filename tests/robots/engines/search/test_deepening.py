"""The root of a search, on trees that are tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robots.engines.search.deepening import UNLIMITED, OutOfNodes, search
from robots.levels import MOST_PLIES, WIN, Level

if TYPE_CHECKING:
    from collections.abc import Sequence


class TableTree:
    """Scores by move and depth; each score costs as many nodes as its depth."""

    def __init__(self, **scores: tuple[int, ...]) -> None:
        self._scores = scores
        self.nodes, self.most_nodes = 0, UNLIMITED
        self.asked: list[tuple[str, int, int]] = []

    @property
    def moves(self) -> Sequence[str]:
        return list(self._scores)

    def score(self, move: str, depth: int, alpha: int, beta: int) -> int:
        self.asked.append((move, depth, alpha))
        self.nodes += depth
        if self.nodes > self.most_nodes:
            raise OutOfNodes
        return max(self._scores[move][depth - 1], alpha)


def level(nodes: int = 1000, depth: int = 3, breadth: int = 8, temperature: float = 0.0) -> Level:
    return Level(nodes=nodes, depth=depth, breadth=breadth, temperature=temperature)


def test_the_deepest_scores_count() -> None:
    found = search(TableTree(a=(10, 5, 1), b=(0, 6, 9)), level())
    best = found.candidates[0]
    assert (best.move, best.score) == ("b", 9)
    assert (found.choices, found.depth) == (2, 3)


def test_moves_near_the_best_have_exact_scores_and_others_are_left_out() -> None:
    tree = TableTree(a=(0, 0, 30), b=(0, 0, 12), c=(0, 0, -40), d=(0, 0, 25))
    found = search(tree, level(temperature=4.0))  # within 20
    assert [(one.move, one.score) for one in found.candidates] == [("a", 30), ("d", 25), ("b", 12)]


def test_no_more_exact_scores_than_can_be_drawn() -> None:
    tree = TableTree(a=(9, 9, 9), b=(8, 8, 8), c=(7, 7, 7), d=(6, 6, 6))
    found = search(tree, level(temperature=100.0, breadth=2))
    assert [one.move for one in found.candidates] == ["a", "b"]


def test_an_interrupted_depth_counts_as_far_as_it_went() -> None:
    tree = TableTree(a=(10, -90), b=(5, 5), c=(0, 0))
    found = search(tree, level(nodes=5, depth=2, temperature=50.0))  # three at depth 1, then a alone
    assert [(one.move, one.score) for one in found.candidates] == [("b", 5), ("c", 0), ("a", -90)]
    assert found.depth == 1


def test_every_move_is_looked_at_whatever_the_budget() -> None:
    found = search(TableTree(a=(0,), b=(1,), c=(2,)), level(nodes=1, temperature=9.0))
    assert [one.move for one in found.candidates] == ["c", "b", "a"]


def test_a_certain_end_within_the_depth_stops_the_search() -> None:
    won = WIN + MOST_PLIES - 1
    found = search(TableTree(a=(won, 0, 0), b=(0, 0, 0)), level())
    assert found.depth == 1
    assert found.candidates[0].ends_in == 1


def test_the_only_move_is_searched_with_a_quarter_of_the_nodes() -> None:
    tree = TableTree(a=tuple(range(1, 200)))
    found = search(tree, level(nodes=400, depth=199))
    assert found.choices == 1
    assert found.nodes <= 120
    assert found.candidates[0].score == found.depth
