"""Applicants and players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import Color
from lobby.accounts.user import User
from simul.draft import Offer

if TYPE_CHECKING:
    from simul.setup import SimulSetup
    from simul.wire import SimulPersonWire


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """An applicant or player, and what the host has arranged for them."""

    user: User
    offer: Offer
    """The game they want to play."""
    rating: int | None = None
    """Their rating in that game when they joined; None for guests."""
    provisional: bool = False
    player_extra_s: int = 0
    host_extra_s: int = 0
    color: Color | None = None
    """The host's colour, if it differs from the announced one."""


def person_wire(person: Person, setup: SimulSetup) -> SimulPersonWire:
    """Return a line of ``applicants`` and ``players``."""
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
