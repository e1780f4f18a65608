"""Games by their scores, the best first; of those with about the same score the one that came to it last."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STEP = 25
"""Scores that differ by less are the same: nobody sees it, and a change costs no more than two maps' worth."""


class Ranking:
    """Maps by score: a change costs the same however many games there are."""

    def __init__(self) -> None:
        self._by_score: dict[int, dict[str, None]] = {}
        """By score, in steps; none is empty."""
        self._scores: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._scores)

    def __contains__(self, game: str) -> bool:
        return game in self._scores

    def __iter__(self) -> Iterator[str]:
        """Ids, the best first."""
        for score in sorted(self._by_score, reverse=True):
            yield from reversed(self._by_score[score])

    def put(self, game: str, score: int) -> None:
        """``game`` has this score now; where that is the one it had it keeps its place."""
        score -= score % STEP
        if self._scores.get(game) != score:
            self.drop(game)
            self._scores[game] = score
            self._by_score.setdefault(score, {})[game] = None

    def drop(self, game: str) -> None:
        """``game`` is not among them any more; nothing happens if it was not."""
        score = self._scores.pop(game, None)
        if score is not None:
            equals = self._by_score[score]
            del equals[game]
            if not equals:
                del self._by_score[score]

    def first(self) -> str | None:
        """The best; None: there is none."""
        return next(reversed(self._by_score[max(self._by_score)])) if self._by_score else None

    def score(self, game: str) -> int | None:
        """What ``game`` has, in steps; None: it is not among them."""
        return self._scores.get(game)
