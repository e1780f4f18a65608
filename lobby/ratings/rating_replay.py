"""Recomputation of all ratings from the rated games, first to last."""

from __future__ import annotations

from datetime import datetime

import msgspec

from lobby.ratings.ratings import NEW, SCORES, Rating, play


class RatedGame(msgspec.Struct, frozen=True):
    """A rated game that has ended with a result."""

    perf: str
    white: str
    black: str
    result: str
    at: datetime
    """The instant at which it counts."""


class RatingChange(msgspec.Struct, frozen=True):
    """Change of one player's rating by a game."""

    person: str
    perf: str
    before: Rating
    after: Rating


class Replay:
    """A fold over the rated games. The games of one person must come in the order in which they count; the order of
    different people's games does not matter.

    Attributes:
        ratings: by person and perf, after the games so far.
    """

    def __init__(self) -> None:
        self.ratings: dict[tuple[str, str], Rating] = {}

    def add(self, game: RatedGame) -> tuple[RatingChange, RatingChange]:
        """Count ``game``. Returns the changes for White and for Black."""
        perf = game.perf
        white, black = self.ratings.get((game.white, perf), NEW), self.ratings.get((game.black, perf), NEW)
        new_white, new_black = play(white, black, SCORES[game.result], game.at)  # type: ignore[index]  # results only
        self.ratings[game.white, perf], self.ratings[game.black, perf] = new_white, new_black
        return RatingChange(game.white, perf, white, new_white), RatingChange(game.black, perf, black, new_black)
