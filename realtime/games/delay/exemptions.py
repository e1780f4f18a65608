"""Exemptions from the public delay: the players of a simul and its host see its games at once."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from game_core.game import Setup
    from realtime.postgres.database import Pool


class Exempt:
    """Ids of the people who are exempt in one simul; complete once they were read from the database."""

    __slots__ = ("__weakref__", "is_complete", "people")

    def __init__(self) -> None:
        self.is_complete = False
        self.people: set[str] = set()

    def __contains__(self, user: str | None) -> bool:
        return user in self.people


class DelayExemptions:
    """The exemptions in use, one set for each simul. A set is dropped with the last table that refers to it."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._exemptions: WeakValueDictionary[str, Exempt] = WeakValueDictionary()

    def of(self, setup: Setup) -> Exempt:
        """Return the exemptions of a game. Its table adds the players."""
        if setup.simul_board is None:
            return Exempt()
        exempt = self._exemptions.get(setup.simul_board.id)
        if exempt is None:
            exempt = self._exemptions[setup.simul_board.id] = Exempt()
        return exempt

    async def load(self, setup: Setup) -> Exempt:
        """Return the exemptions of a game with everybody who already plays in its simul."""
        exempt = self.of(setup)
        if not exempt.is_complete and setup.simul_board is not None:
            rows = await self._pool.fetch(
                "SELECT DISTINCT unnest(ARRAY[white, black]) AS person FROM game WHERE simul = $1", setup.simul_board.id
            )
            exempt.people.update(row["person"] for row in rows)
            exempt.is_complete = True
        return exempt
