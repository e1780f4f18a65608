"""What the players of a new game are rated when it begins: read with its row, kept with it, shown for ever after."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from game_core.time_control import slower
from lobby.ratings import RatingAtStart, perf_of, rating_at_start, ratings_of

if TYPE_CHECKING:
    from lobby.needs import Connection
    from lobby.pairing import NewGame

Ratings = tuple[RatingAtStart | None, RatingAtStart | None]
"""White's and Black's; None for guests."""

UNRATED: Ratings = (None, None)


async def ratings_at_start(connection: Connection, new: NewGame) -> Ratings:
    """White's and Black's in the perf of ``new``, also in casual games."""
    people = [user.id for user in (new.white, new.black) if user.kind != "guest"]
    perf = perf_of(new.game, new.variant, slower(new.tc, new.black_tc))
    found = await ratings_of(connection, people, perf) if people else {}
    return rating_at_start(new.white, found), rating_at_start(new.black, found)


class Starting:
    """The ratings of games whose rows are written and whose tables are not open yet.

    They go with the lobby's ``NewGame``: so those of a game that was rolled back go by themselves, and those of a
    commit in doubt stay for as long as the lobby asks for its outcome.
    """

    def __init__(self) -> None:
        self._ratings: dict[str, Ratings] = {}

    def __len__(self) -> int:
        return len(self._ratings)

    def keep(self, new: NewGame, ratings: Ratings) -> None:
        """Until ``new`` is gone."""
        self._ratings[new.id] = ratings
        weakref.finalize(new, self._ratings.pop, new.id, None).atexit = False

    def of(self, new: NewGame) -> Ratings:
        """What was kept."""
        return self._ratings.get(new.id, UNRATED)
