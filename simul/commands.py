"""Commands to a simul by a person or by the server.

``by`` is the id of the requester. The host's commands are refused to everybody else.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from game_core.color import Color
from game_core.events import Result
from lobby.accounts.user import User
from simul.draft import Draft, Offer
from simul.wire import BoardEnd


class SimulCommand(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all commands."""


class PersonCommand(SimulCommand, frozen=True, kw_only=True):
    """Base of commands by a person."""

    by: str


class Edit(PersonCommand, frozen=True, kw_only=True):
    """Replace the announcement by ``draft``; see ``setup.draft_of``."""

    draft: Draft
    invited: tuple[User, ...] | None = None
    """The new list of invited people; None: unchanged."""
    stand_in: User | msgspec.UnsetType | None = msgspec.UNSET
    """The new stand-in; None: nobody any more; unset: unchanged."""


class Arrange(PersonCommand, frozen=True, kw_only=True):
    """Set handicap, colour and note of ``user``, who has no board yet, or of the player at ``board``. None:
    unchanged."""

    user: str | None = None
    board: int | None = None
    player_extra_s: int | None = None
    host_extra_s: int | None = None
    color: Color | Literal["announced"] | None = None
    note: str | None = None


class Invite(PersonCommand, frozen=True, kw_only=True):
    user: User


class Join(SimulCommand, frozen=True, kw_only=True):
    """Apply to play ``game`` / ``variant``, which must be offered; by default the first offer."""

    user: User
    game: str | None = None
    variant: str | None = None
    ratings: tuple[tuple[int | None, bool], ...] = ()
    """The applicant's rating in each of the simul's ``offers``, and whether it is provisional; empty for a guest."""


class Leave(PersonCommand, frozen=True, kw_only=True):
    pass


class Accept(PersonCommand, frozen=True, kw_only=True):
    user: str


class AcceptAll(PersonCommand, frozen=True, kw_only=True):
    pass


class Robot(msgspec.Struct, frozen=True):
    """A robot and the game that it is to play."""

    user: User
    offer: Offer


class AddRobots(PersonCommand, frozen=True, kw_only=True):
    """Accept ``robots``, which have room for these games, at the empty boards."""

    robots: tuple[Robot, ...] = ()


class Reject(PersonCommand, frozen=True, kw_only=True):
    user: str


class Kick(PersonCommand, frozen=True, kw_only=True):
    user: str


class Start(PersonCommand, frozen=True, kw_only=True):
    pass


class Cancel(PersonCommand, frozen=True, kw_only=True):
    pass


class GoTo(PersonCommand, frozen=True, kw_only=True):
    board: int


class GoOn(PersonCommand, frozen=True, kw_only=True):
    """Go to the next board."""


class Later(PersonCommand, frozen=True, kw_only=True):
    board: int


class TakeBreak(PersonCommand, frozen=True, kw_only=True):
    """Begin a break until ``until`` (Unix ms); None ends it."""

    until: int | None


class Adjudicate(PersonCommand, frozen=True, kw_only=True):
    game: str
    result: Result


class End(PersonCommand, frozen=True, kw_only=True):
    rest: BoardEnd = "draw"
    boards: dict[int, BoardEnd] = {}


class HandOver(PersonCommand, frozen=True, kw_only=True):
    """The host lets the stand-in take over; or the stand-in who plays gives the simul back."""


class TakeOver(PersonCommand, frozen=True, kw_only=True):
    """The stand-in plays for the host, who is away or has handed over; or the host takes the simul back."""


class Prepare(PersonCommand, frozen=True, kw_only=True):
    """Prepare ``move`` in wire notation, which the caller has found legal at ``ply``; None withdraws it."""

    game: str
    ply: int
    move: str | None


class Pass(PersonCommand, frozen=True, kw_only=True):
    game: str


class Settle(SimulCommand, frozen=True, kw_only=True):
    """Carry out what is due: a timer of the simul has fired, the host came or left, or a game has continued."""


class Recover(SimulCommand, frozen=True, kw_only=True):
    """After a restart, repeat commands to games that may have been lost."""
