"""Games being played, as much of each as lists and television rank it by: at its owner, and at every other node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import COLORS
from game_core.time_control import speed
from realtime.watching.tv.standing import channels_of, is_public, may_be_shown, strength_of

if TYPE_CHECKING:
    from realtime.games.table import Table


class LiveCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game that everybody may see being played: of any other there is none.

    Attributes:
        epoch: of its owner, so that of two who take it for theirs the later one is believed; 0: nobody's.
        strength: what it is worth on television.
        rank: the sum of the players' ratings; who has none counts as 0.
        least: the lower of the ratings; None: somebody has none.
        channels: where it may be shown.
        titled: one of the players has a title.
        simul: the exhibition of which it is a board.
        watching: how many watch.
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
    watching: int = 0


def card_of(table: Table) -> LiveCard | None:
    """None: not everybody may see ``table`` being played."""
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
        channels=channels_of(setup) if may_be_shown(table) else (),
        titled=any(seat.user.title is not None for seat in seats),
        simul=None if setup.exhibition is None else setup.exhibition.id,
        watching=table.topic.watching,
    )
