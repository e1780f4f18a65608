"""Who wants to play against the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import Color
from lobby.accounts.user import User
from simul.draft import Offer

if TYPE_CHECKING:
    from simul.setup import Setup
    from simul.wire import SimulPersonWire


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """An applicant or player, and what the host has arranged for him."""

    user: User
    offer: Offer
    """What he wants to play."""
    rating: int | None = None
    """His at that, when he joined; None for guests."""
    provisional: bool = False
    player_extra_s: int = 0
    host_extra_s: int = 0
    color: Color | None = None
    """The host's, where it is not to be as announced."""


def person_wire(person: Person, setup: Setup) -> SimulPersonWire:
    """A line of ``applicants`` and ``players``."""
    user = person.user
    body: SimulPersonWire = {
        "id": user.id,
        "name": user.name,
        "kind": user.kind,
        "title": user.title,
        "rating": person.rating,
    }
    if person.provisional:
        body["provisional"] = True
    if person.offer != setup.offers[0]:
        body["game"], body["variant"] = person.offer.game, person.offer.variant
    if person.player_extra_s:
        body["player_extra_s"] = person.player_extra_s
    if person.host_extra_s:
        body["host_extra_s"] = person.host_extra_s
    if person.color is not None:
        body["color"] = person.color
    return body
