"""What nodes say to each other about an exhibition that some of them only show.

    Follow, Here, Leave    from a node with listeners to the one that leads
    News, Gone             back

All of them are told and not asked, so that they arrive in one order. Fields may be added; new ones have defaults.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

FOLLOW, HERE, LEAVE, NEWS, GONE = "simul.follow", "simul.here", "simul.leave", "simul.news", "simul.gone"
"""The topics, in the order of the structs below."""

PART_BYTES = 256 * 1024
"""Of a snapshot that is told at a time: of a thousand boards it has 400 KB, and a message of the bus must hold it."""


class Follow(msgspec.Struct, frozen=True, kw_only=True):
    """Tell me what happens there, and first what I have missed."""

    simul: str
    number: int
    """Of this request; what is told because of an earlier one comes too late."""
    live: int | None = None
    """Number of the last event that was heard at once; None: none was."""
    late: int | None = None
    """The same of those that are heard later."""
    back: int | None = None
    """From here on somebody wants the events, if they are kept."""
    users: list[str] = []
    """Who listens here, or is about to."""
    watchers: int = 0
    """How many sockets here watch."""


class Here(msgspec.Struct, frozen=True, kw_only=True):
    """Who listens here now."""

    simul: str
    number: int
    watchers: int
    came: list[str] = []
    went: list[str] = []


class Leave(msgspec.Struct, frozen=True):
    """Tell me no more; nobody listens here."""

    simul: str


What = Literal[
    "event", "late_event", "ring", "late_ring", "part", "live", "late", "leap", "own", "word", "hide", "reveal",
    "sort", "ready",
]  # fmt: skip
"""event, late_event    a numbered message, for those who hear at once or later
ring, late_ring      one from before the snapshot, for who comes back and asks for it
part                 bytes of a snapshot, of which the next ``live``, ``late`` or ``leap`` is the end; a leap is one of
                     which no message tells, to be shown to all who hear late
own                  an ``Own``
word                 ``simul.crowd``
hide                 from now on all but these people (a list of ids) hear later
reveal               everything has been told: all hear at once again
sort                 the answer to a ``Follow`` has told who hears late, and all that is late
ready                the end of the answer to a ``Follow``
"""


class News(msgspec.Struct, frozen=True, kw_only=True):
    """Something has happened there."""

    simul: str
    number: int
    """That of the ``Follow``."""
    what: What
    now_ms: int
    """The leader's Unix ms: by how much its clock is ahead, or the message late, the instants in it are moved."""
    body: msgspec.Raw = msgspec.Raw(b"\xc0")


class Own(msgspec.Struct, frozen=True):
    """What only ``user`` is told, and whether he hears everything later."""

    user: str
    late: bool
    own: dict[str, Any]


class Gone(msgspec.Struct, frozen=True):
    """It is not led here, or is no more."""

    simul: str
    number: int
