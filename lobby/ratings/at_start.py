"""Ratings with which a game begins."""

from __future__ import annotations

import msgspec


class RatingAtStart(msgspec.Struct, frozen=True):
    """A player's rating at the start of a game, stored with the game."""

    rating: int
    provisional: bool


RatingsAtStart = tuple[RatingAtStart | None, RatingAtStart | None]
"""White's and Black's; None for guests."""

NO_RATINGS: RatingsAtStart = (None, None)
