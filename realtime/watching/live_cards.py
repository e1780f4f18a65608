"""Cards: short descriptions of games in progress, for ranking in lists and on television at every node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import COLORS
from game_core.time_control import speed
from lobby.pools.pools import pool_name
from realtime.watching.tv.standing import channels_of, is_public, may_be_shown, strength_of

if TYPE_CHECKING:
    from game_core.game import Setup
    from realtime.games.table import Table


class LiveCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A public game in progress. Other games have no card.

    Attributes:
        epoch: of the owner, so that of two nodes that claim the game the later one is believed; 0: it has no owner.
        strength: score for television.
        rank: the sum of the players' ratings; a missing rating counts as 0.
        least: the lower of the ratings; None: a rating is missing.
        channels: channels that may show it.
        titled: one of the players has a title.
        simul: the simul of which it is a board.
        pool: the pool whose games have its time control and variant; None: there is none, or it is a board of a simul.
        watching: number of spectators.
    """

    g: str
    epoch: int
    strength: int
    rank: int
    least: int | None
    speed: str
    variant: str
    channels: tuple[str, ...] = ()
    titled: bool = False
    simul: str | None = None
    pool: str | None = None
    watching: int = 0


def card_of(table: Table, channels: tuple[str, ...] | None = None) -> LiveCard | None:
    """Return the card of ``table``; None: it is not public or not in progress.

    Args:
        channels: channels that may show it; None: those of a game that is no board of a simul.
    """
    if not is_public(table):
        return None
    setup, seats = table.game.setup, [table.seats[color] for color in COLORS]
    ratings = [seat.rating.rating for seat in seats if seat.rating is not None]
    return LiveCard(
        g=table.id,
        epoch=table.epoch or 0,
        strength=strength_of(table),
        rank=sum(ratings),
        least=min(ratings) if len(ratings) == len(seats) else None,
        speed=speed(setup.pace),
        variant=setup.variant,
        channels=(channels_of(setup) if may_be_shown(table) else ()) if channels is None else channels,
        titled=any(seat.user.title is not None for seat in seats),
        simul=None if setup.simul_board is None else setup.simul_board.id,
        pool=_pool_of(setup),
        watching=table.topic.watching,
    )


def _pool_of(setup: Setup) -> str | None:
    if setup.simul_board is not None or setup.black_tc is not None:
        return None
    return pool_name(setup.tc, setup.game, setup.variant)
