"""Ranking of games by television score, the best first; among about equal scores, the last game to reach its score."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STEP = 25
"""Scores that differ by less count as equal: the difference is not visible, and an update touches at most two maps."""


class Ranking:
    """Maps by score: the cost of an update does not depend on the number of games."""

    def __init__(self) -> None:
        self._by_score: dict[int, dict[str, None]] = {}
        """Games by score in steps; no map is empty."""
        self._scores: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._scores)

    def __contains__(self, game: str) -> bool:
        return game in self._scores

    def __iter__(self) -> Iterator[str]:
        """Yield the ids, the best first."""
        for score in sorted(self._by_score, reverse=True):
            yield from reversed(self._by_score[score])

    def put(self, game: str, score: int) -> None:
        """Set the score of ``game``. With an unchanged score it keeps its place."""
        score -= score % STEP
        if self._scores.get(game) != score:
            self.drop(game)
            self._scores[game] = score
            self._by_score.setdefault(score, {})[game] = None

    def drop(self, game: str) -> None:
        """Remove ``game``, if it is in the ranking."""
        score = self._scores.pop(game, None)
        if score is not None:
            equals = self._by_score[score]
            del equals[game]
            if not equals:
                del self._by_score[score]

    def first(self) -> str | None:
        """Return the best game; None: there is none."""
        return next(reversed(self._by_score[max(self._by_score)])) if self._by_score else None

    def score(self, game: str) -> int | None:
        """Return the score of ``game`` in steps; None: it is not in the ranking."""
        return self._scores.get(game)
