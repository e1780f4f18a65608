"""Messages between nodes about a simul that some of them replicate.

    Follow, ListenersUpdate, Unfollow    from a node with listeners to the leader
    SimulMessage, NotLeading             back

All are one-way messages and not requests, so they stay in order. New fields need a default.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

FOLLOW, HERE, LEAVE, NEWS, GONE = "simul.follow", "simul.here", "simul.leave", "simul.news", "simul.gone"
"""Topics, in the order of the structs below."""

PART_BYTES = 256 * 1024
"""Maximum size of one part of a snapshot: a thousand boards have 400 KB, more than a message of the bus should hold."""


class Follow(msgspec.Struct, frozen=True, kw_only=True):
    """Request for the events of a simul, beginning with those that were missed."""

    simul: str
    number: int
    """Number of this request. Messages sent for an earlier one are ignored."""
    live: int | None = None
    """Number of the last live event received; None: none."""
    delayed: int | None = msgspec.field(default=None, name="late")
    """The same for delayed events."""
    back: int | None = None
    """A listener wants the events after this one, if they are kept."""
    users: list[str] = []
    """Users who listen at the sender, or are about to."""
    watchers: int = 0
    """Number of spectators' sockets at the sender."""


class ListenersUpdate(msgspec.Struct, frozen=True, kw_only=True):
    """The current listeners at the sender."""

    simul: str
    number: int
    watchers: int
    came: list[str] = []
    went: list[str] = []


class Unfollow(msgspec.Struct, frozen=True):
    """The sender has no more listeners and wants no more events."""

    simul: str


MessageKind = Literal[
    "event", "late_event", "ring", "late_ring", "part", "live", "late", "leap", "own", "word", "hide", "reveal",
    "sort", "ready",
]  # fmt: skip
"""event, late_event    a numbered message, for live or delayed listeners
ring, late_ring      one from before the snapshot, for listeners who resume from it
part                 bytes of a snapshot, which the next ``live``, ``late`` or ``leap`` completes; a leap is a change
                     without a message, to be shown to all delayed listeners
own                  an ``PrivateState``
word                 ``simul.crowd``
hide                 from now on all users but these (a list of ids) are on the delayed view
reveal               everything has been published: the delayed view ends
sort                 the answer to a ``Follow`` has sent who is on the delayed view, and all of that view
ready                the end of the answer to a ``Follow``
"""


class SimulMessage(msgspec.Struct, frozen=True, kw_only=True):
    """News of a simul."""

    simul: str
    number: int
    """The number of the ``Follow``."""
    what: MessageKind
    now_ms: int
    """The leader's Unix ms. Instants are shifted by the offset of its clock or the delay of the message."""
    body: msgspec.Raw = msgspec.Raw(b"\xc0")


class PrivateState(msgspec.Struct, frozen=True):
    """The private part of ``user``, and whether they are on the delayed view."""

    user: str
    delayed: bool = msgspec.field(name="late")
    own: dict[str, Any]


class NotLeading(msgspec.Struct, frozen=True):
    """The sender does not lead the simul, or no longer does."""

    simul: str
    number: int
