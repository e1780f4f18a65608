"""What somebody, or the server itself, may ask of an exhibition.

``by`` is the id of the person who asks. Commands of the host are refused to everybody else.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from game_core.color import Color
from game_core.events import Result
from lobby.accounts.user import User
from simul.draft import Draft
from simul.wire import BoardEnd


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all commands."""


class Asked(Command, frozen=True, kw_only=True):
    """Base of what a person asks for."""

    by: str


class Edit(Asked, frozen=True, kw_only=True):
    """Announce ``draft`` instead; see ``setup.draft_of``."""

    draft: Draft
    invited: tuple[User, ...] | None = None
    """Who is invited from now on; None: as before."""


class Arrange(Asked, frozen=True, kw_only=True):
    """Time, colour and note of somebody without a board (``user``), or at ``board``. What is None stays as it is."""

    user: str | None = None
    board: int | None = None
    player_extra_s: int | None = None
    host_extra_s: int | None = None
    color: Color | Literal["announced"] | None = None
    note: str | None = None


class Invite(Asked, frozen=True, kw_only=True):
    user: User


class Join(Command, frozen=True, kw_only=True):
    """``user`` wants to play ``game`` / ``variant`` of those offered, or the first where he does not say."""

    user: User
    game: str | None = None
    variant: str | None = None
    ratings: tuple[tuple[int | None, bool], ...] = ()
    """His rating, and whether it is provisional, in each of the exhibition's ``offers``; empty for a guest."""


class Leave(Asked, frozen=True, kw_only=True):
    pass


class Accept(Asked, frozen=True, kw_only=True):
    user: str


class AcceptAll(Asked, frozen=True, kw_only=True):
    pass


class Reject(Asked, frozen=True, kw_only=True):
    user: str


class Kick(Asked, frozen=True, kw_only=True):
    user: str


class Start(Asked, frozen=True, kw_only=True):
    pass


class Cancel(Asked, frozen=True, kw_only=True):
    pass


class GoTo(Asked, frozen=True, kw_only=True):
    board: int


class GoOn(Asked, frozen=True, kw_only=True):
    """To the next board."""


class Later(Asked, frozen=True, kw_only=True):
    board: int


class Rest(Asked, frozen=True, kw_only=True):
    """A break until ``until`` (Unix ms); None ends it."""

    until: int | None


class Adjudicate(Asked, frozen=True, kw_only=True):
    game: str
    result: Result


class End(Asked, frozen=True, kw_only=True):
    rest: BoardEnd = "draw"
    boards: dict[int, BoardEnd] = {}


class Prepare(Asked, frozen=True, kw_only=True):
    """``move`` in wire notation, which the caller has found legal at ``ply``; None takes it back."""

    game: str
    ply: int
    move: str | None


class Pass(Asked, frozen=True, kw_only=True):
    game: str


class Settle(Command, frozen=True, kw_only=True):
    """Whatever is due: a clock of the exhibition's own has rung, the host came or went, a game has gone on."""


class Recover(Command, frozen=True, kw_only=True):
    """After a restart: what should have been done to the games, and was perhaps not."""
