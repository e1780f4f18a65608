"""Ratings with which a game begins."""

from __future__ import annotations

import msgspec


class RatingAtStart(msgspec.Struct, frozen=True):
    """What is kept of a player's rating with the game that he begins."""

    rating: int
    provisional: bool


RatingsAtStart = tuple[RatingAtStart | None, RatingAtStart | None]
"""White's and Black's; None for guests."""

NO_RATINGS: RatingsAtStart = (None, None)
