"""The ratings with which the boards of a simul begin: one query per rating category (*perf*) for all boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from lobby.ratings.ratings import perf_of, rating_at_start, ratings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asyncpg import Pool, Record
    from asyncpg.pool import PoolConnectionProxy

    from lobby.accounts.user import User
    from lobby.pairing import NewGame
    from simul.setup import SimulSetup


async def with_ratings(connection: PoolConnectionProxy[Record], games: Sequence[NewGame]) -> tuple[NewGame, ...]:
    """Return ``games`` with their players' ratings, in casual games too."""
    by_perf: dict[str, set[str]] = {}
    for game in games:
        people = by_perf.setdefault(perf_of(game.game, game.variant, game.pace), set())
        people.update(user.id for user in (game.white, game.black) if user.kind != "guest")
    found = {perf: await ratings_of(connection, people, perf) for perf, people in by_perf.items()}
    rated = []
    for game in games:
        ratings = found[perf_of(game.game, game.variant, game.pace)]
        both = rating_at_start(game.white, ratings), rating_at_start(game.black, ratings)
        rated.append(msgspec.structs.replace(game, ratings=both))
    return tuple(rated)


async def ratings_in(pool: Pool[Record], user: User, setup: SimulSetup) -> tuple[tuple[int | None, bool], ...]:
    """Return the user's rating in each game on offer, and whether it is provisional; empty for a guest."""
    if user.kind == "guest":
        return ()
    known: dict[str, tuple[int | None, bool]] = {}
    for offer in setup.offers:
        perf = perf_of(offer.game, offer.variant, setup.tc)
        if perf not in known:
            rating = rating_at_start(user, await ratings_of(pool, [user.id], perf))
            known[perf] = (None, False) if rating is None else (rating.rating, rating.provisional)
    return tuple(known[perf_of(offer.game, offer.variant, setup.tc)] for offer in setup.offers)
