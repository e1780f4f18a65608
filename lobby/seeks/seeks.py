"""Seeks: public offers to play, and the book of those that are open.

The book is a pure model of what the lobby shows: time comes in, events come out. Which of two people gets a seek is
not decided here but by its row in the database.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import msgspec

from lobby.accounts.user import User, user_wire
from lobby.errors import BadMessage
from lobby.pairing import are_compatible
from lobby.proposals import (
    Proposal,
    Range,
    Terms,
    agree,
    rating_range,
    terms_of_wire,
    terms_wire,
)
from lobby.wire.lobby import Wish

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lobby.wire.lobby import LobbyAddWire, LobbyGoneWire, OpenSeeksWire, SeekSpecWire, SeekWire

MAX_SEEKS = 5
"""Open seeks of one person: enough to offer several time controls, too few to fill the lobby."""

LOBBY_SEEKS = 1000
"""Open seeks of all: more than anybody reads; with 300 bytes each a lobby is sent well below what a slow socket may be
behind."""

SEEK_MS = 15 * 60_000
"""How long a seek is shown: who has waited a quarter of an hour has gone to do something else."""

AWAY_MS = 10_000
"""How long a seek outlives its owner's last socket: a page that is loaded again, a blink of the network."""

RESTART_AWAY_MS = 30_000
"""The same after a start of the server: every client comes back with a random delay."""

GONE_REMEMBERED = 1000
"""Ids of seeks that are gone, so that who comes too late hears ``conflict`` and not ``not_found``."""


class Seek(msgspec.Struct, frozen=True, kw_only=True):
    """One open seek."""

    id: str
    user: User
    terms: Terms
    color: Wish
    created_ms: int
    """Unix ms."""
    opponents: Range = Range()
    rating: int | None = None
    """The owner's, in this speed and variant; None for guests."""
    provisional: bool | None = None
    """Whether that is more of a guess; None as before."""


def new_seek(seek_id: str, user: User, proposal: Proposal, now_ms: int) -> Seek:
    """The seek that ``proposal`` asks for, without the owner's rating. Raises like ``agree`` and ``rating_range``."""
    if proposal.fen is not None:
        raise BadMessage("fen: a seek begins from the usual position; only a challenge may name another")
    return Seek(
        id=seek_id,
        user=user,
        terms=agree(user, proposal),
        color=proposal.color,
        created_ms=now_ms,
        opponents=rating_range(proposal),
    )


def match(mine: Seek, yours: Seek) -> bool:
    """Whether the owners of two seeks can be paired at once."""
    return (
        mine.user.id != yours.user.id
        and mine.terms == yours.terms
        and are_compatible(mine.color, yours.color)
        and mine.rating in yours.opponents
        and yours.rating in mine.opponents
    )


def seek_wire(seek: Seek) -> SeekWire:
    """The seek of the protocol."""
    return {"seek": seek.id, "user": user_wire(seek.user), **seek_spec(seek)}


def seek_spec(seek: Seek) -> SeekSpecWire:
    """What is stored of a seek beside its id, owner and age."""
    return {
        "rating": seek.rating,
        "provisional": seek.provisional,
        **terms_wire(seek.terms),
        "color": seek.color,
        "min_rating": seek.opponents.low,
        "max_rating": seek.opponents.high,
    }


def seek_of_spec(seek_id: str, user: User, spec: Mapping[str, Any], created_ms: int) -> Seek:
    """The inverse of ``seek_spec``."""
    return Seek(
        id=seek_id,
        user=user,
        terms=terms_of_wire(spec),
        color=spec["color"],
        created_ms=created_ms,
        opponents=Range(spec["min_rating"], spec["max_rating"]),
        rating=spec.get("rating"),
        provisional=spec.get("provisional"),
    )


class SeekBook:
    """The open seeks in the order in which they came, who of their owners is here, and the numbered events.

    Attributes:
        seq: number of the last event of the lobby; what else happens there takes numbers of it, too. It begins at a
            number that grows from one start of the server to the next (Unix ms), so that a ``from`` of an earlier life
            is never taken for one of this.
    """

    def __init__(self, seq: int) -> None:
        self.seq = seq
        self._seeks: dict[str, Seek] = {}
        self._by_terms: dict[Terms, dict[str, Seek]] = {}
        self._by_user: dict[str, dict[str, Seek]] = {}
        self._here: set[str] = set()
        self._away_until: dict[str, int] = {}
        """Users with seeks and without a socket, and until when (ms) their seeks wait for them."""
        self._gone: OrderedDict[str, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._seeks)

    def __iter__(self) -> Iterator[Seek]:
        return iter(tuple(self._seeks.values()))

    def get(self, seek_id: str) -> Seek | None:
        """The open seek ``seek_id``."""
        return self._seeks.get(seek_id)

    def of_user(self, user_id: str) -> tuple[Seek, ...]:
        """The open seeks of a user."""
        return tuple(self._by_user.get(user_id, {}).values())

    def is_gone(self, seek_id: str) -> bool:
        """Whether ``seek_id`` was open not long ago."""
        return seek_id in self._gone

    def load(self, seeks: list[Seek], now_ms: int) -> None:
        """Take over what the database had at start; no events, the snapshot tells."""
        for seek in seeks:
            self._insert(seek)
            if seek.user.id not in self._here:
                self._away_until[seek.user.id] = now_ms + RESTART_AWAY_MS

    def add(self, seek: Seek, now_ms: int) -> LobbyAddWire:
        """List ``seek``; the event to publish. The owner may have gone while it was stored."""
        self._insert(seek)
        if seek.user.id not in self._here:
            self._away_until.setdefault(seek.user.id, now_ms + AWAY_MS)
        self.seq += 1
        return {"t": "lobby.add", "seq": self.seq, **seek_wire(seek)}

    def remove(self, seek_id: str) -> LobbyGoneWire | None:
        """Take ``seek_id`` off the list; the event to publish, or None when it was not on it."""
        seek = self._seeks.pop(seek_id, None)
        if seek is None:
            return None
        _discard(self._by_terms, seek.terms, seek_id)
        _discard(self._by_user, seek.user.id, seek_id)
        if seek.user.id not in self._by_user:
            self._away_until.pop(seek.user.id, None)
        self._gone[seek_id] = None
        if len(self._gone) > GONE_REMEMBERED:
            self._gone.popitem(last=False)
        self.seq += 1
        return {"t": "lobby.gone", "seq": self.seq, "seek": seek_id}

    def matches(self, seek: Seek) -> list[Seek]:
        """Whom ``seek`` can be paired with at once, the longest waiting first.

        Owners who are away are left out: being paired with nobody is worse than waiting.
        """
        return [
            other
            for other in self._by_terms.get(seek.terms, {}).values()
            if other.user.id in self._here and match(seek, other)
        ]

    def is_here(self, user_id: str) -> bool:
        """Whether the user has a socket."""
        return user_id in self._here

    def came(self, user_id: str) -> None:
        """The user has a socket now."""
        self._here.add(user_id)
        self._away_until.pop(user_id, None)

    def left(self, user_id: str, now_ms: int) -> None:
        """The user's last socket is closed."""
        self._here.discard(user_id)
        if user_id in self._by_user:
            self._away_until[user_id] = now_ms + AWAY_MS

    def due(self, now_ms: int) -> list[str]:
        """The seeks whose time is over: too old, or their owner away for too long."""
        away = [user_id for user_id, until_ms in self._away_until.items() if until_ms <= now_ms]
        due = dict.fromkeys(seek_id for user_id in away for seek_id in self._by_user[user_id])
        due |= dict.fromkeys(seek.id for seek in self._seeks.values() if seek.created_ms + SEEK_MS <= now_ms)
        return list(due)

    def snapshot(self, *, games: int, online: int) -> OpenSeeksWire:
        """The ``lobby`` message."""
        seeks = [seek_wire(seek) for seek in self._seeks.values()]
        return {"t": "lobby", "seq": self.seq, "seeks": seeks, "games": games, "online": online}

    def _insert(self, seek: Seek) -> None:
        self._seeks[seek.id] = seek
        self._by_terms.setdefault(seek.terms, {})[seek.id] = seek
        self._by_user.setdefault(seek.user.id, {})[seek.id] = seek


def _discard(index: dict[Any, dict[str, Seek]], key: Any, seek_id: str) -> None:
    """Remove one entry, and the inner map with the last one: the book must not remember everybody who ever came."""
    del index[key][seek_id]
    if not index[key]:
        del index[key]
