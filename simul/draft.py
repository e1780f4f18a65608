"""The announcement of a simul as it comes over the wire: typed and within numeric limits, otherwise not validated."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lobby.proposals import MAX_RATING
from simul.wire import HostColor, Mode

MAX_BOARDS = 1000
"""Boards of a simul. A snapshot of this many stays below 400 KB."""

MAX_OFFERS = 50
"""Games and variants offered: more than there are."""

MAX_NAME, MAX_TEXT, MAX_NOTE = 60, 1000, 200
"""Characters of a name (one line of a list), a description and a note."""

MAX_EXTRA_S = 36_000
"""Highest bonus of the host: ten hours."""

START_WITHIN_MS = 30 * 86_400_000
"""How far ahead a simul may be announced."""

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
Text = Annotated[str, Meta(max_length=MAX_TEXT)]
Note = Annotated[str, Meta(max_length=MAX_NOTE)]
Word = Annotated[str, Meta(min_length=1, max_length=32)]
"""Name of a person, game or variant."""
Fen = Annotated[str, Meta(min_length=1, max_length=256)]
ExtraS = Annotated[int, Meta(ge=0, le=MAX_EXTRA_S)]
PerBoardS = Annotated[int, Meta(ge=0, le=3600)]
CountdownS = Annotated[int, Meta(ge=1, le=300)]
Passes = Annotated[int, Meta(ge=0, le=100)]
DrawMove = Annotated[int, Meta(ge=1, le=200)]
Boards = Annotated[int, Meta(ge=1, le=MAX_BOARDS)]
AwayLimitS = Annotated[int, Meta(ge=60, le=7200)]
DelayS = Annotated[int, Meta(ge=0, le=900)]
Rating = Annotated[int, Meta(ge=0, le=MAX_RATING)]
Instant = Annotated[int, Meta(ge=0, le=2**53)]


class Offer(msgspec.Struct, frozen=True):
    """A game and variant that applicants may choose."""

    game: Word
    variant: Word


class LateJoin(msgspec.Struct, frozen=True, omit_defaults=True):
    """How long one may join after the start. Exactly one field is set."""

    move: Annotated[int, Meta(ge=1, le=200)] | None = None
    minutes: Annotated[int, Meta(ge=1, le=600)] | None = None


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of ``simul.create`` and ``simul.edit``. ``setup.agree`` validates them."""

    name: Name
    tc: Any
    text: Text = ""
    game: Word = "chess"
    variant: Word = "standard"
    variants: Annotated[tuple[Offer, ...], Meta(min_length=1, max_length=MAX_OFFERS)] | None = None
    """Replaces ``game`` and ``variant``."""
    mode: Mode = "clock"
    host_color: HostColor = "alternating"
    host_tc: Any = None
    host_extra_s: ExtraS = 0
    host_extra_per_board_s: PerBoardS = 0
    countdown_s: CountdownS = 10
    passes: Passes = 3
    auto_next: bool = True
    rated: bool = False
    fen: Fen | None = None
    draws: Literal["free", "none"] | DrawMove = "free"
    max_boards: Boards = 100
    min_rating: Rating | None = None
    max_rating: Rating | None = None
    guests: bool | None = None
    """Whether guests may join; None: unless the simul is rated."""
    members: bool = False
    invited: Annotated[tuple[Word, ...], Meta(max_length=MAX_BOARDS)] | None = None
    """Names of invited people; None: everybody may join."""
    auto_accept: bool = False
    late_join: LateJoin | None = None
    away_limit_s: AwayLimitS = 600
    delay_s: DelayS = 0
    start_at: Instant | None = None
