"""Seeks, and the book of open ones.

The book is a pure model of what the lobby shows: time is an argument, and changes return events. Which of two people
gets a seek is decided by its row in the database, not here.
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
"""Open seeks of all people. At 300 bytes each, the list is far smaller than what a slow socket may have queued."""

SEEK_MS = 15 * 60_000
"""Lifetime of a seek. After a quarter of an hour its owner has most likely gone."""

AWAY_MS = 10_000
"""How long a seek outlives its owner's last socket: time for a page reload or a short network failure."""

RESTART_AWAY_MS = 30_000
"""The same after a start of the server: clients reconnect after a random delay."""

GONE_REMEMBERED = 1000
"""Recently closed seeks, so that a late request gets ``conflict`` and not ``not_found``."""


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
    """The owner's rating in this speed and variant; None for guests."""
    provisional: bool | None = None
    """Whether the rating is provisional; None for guests."""


def new_seek(seek_id: str, user: User, proposal: Proposal, now_ms: int) -> Seek:
    """Return the seek that ``proposal`` asks for, without the owner's rating. Raises like ``agree`` and
    ``rating_range``."""
    if proposal.fen is not None:
        raise BadMessage("fen: a seek cannot have a custom position; only a challenge can")
    return Seek(
        id=seek_id,
        user=user,
        terms=agree(user, proposal),
        color=proposal.color,
        created_ms=now_ms,
        opponents=rating_range(proposal),
    )


def match(mine: Seek, yours: Seek) -> bool:
    """Return whether the owners of two seeks can be paired."""
    return (
        mine.user.id != yours.user.id
        and mine.terms == yours.terms
        and are_compatible(mine.color, yours.color)
        and mine.rating in yours.opponents
        and yours.rating in mine.opponents
    )


def seek_wire(seek: Seek) -> SeekWire:
    """Return the wire form of a seek."""
    return {"seek": seek.id, "user": user_wire(seek.user), **seek_spec(seek)}


def seek_spec(seek: Seek) -> SeekSpecWire:
    """Return the JSON that is stored of a seek beside its id, owner and age."""
    return {
        "rating": seek.rating,
        "provisional": seek.provisional,
        **terms_wire(seek.terms),
        "color": seek.color,
        "min_rating": seek.opponents.low,
        "max_rating": seek.opponents.high,
    }


def seek_of_spec(seek_id: str, user: User, spec: Mapping[str, Any], created_ms: int) -> Seek:
    """Rebuild a seek from its row: the inverse of ``seek_spec``."""
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
    """The open seeks, oldest first, the presence of their owners, and the numbered lobby events.

    Attributes:
        seq: number of the last lobby event of any kind. It begins with the start time (Unix ms), which grows from one
            start of the server to the next, so a client's ``from`` of an earlier run is recognised as old.
    """

    def __init__(self, seq: int) -> None:
        self.seq = seq
        self._seeks: dict[str, Seek] = {}
        self._by_terms: dict[Terms, dict[str, Seek]] = {}
        self._by_user: dict[str, dict[str, Seek]] = {}
        self._here: set[str] = set()
        self._away_until: dict[str, int] = {}
        """Owners without a socket, and until when (ms) their seeks are kept."""
        self._gone: OrderedDict[str, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._seeks)

    def __iter__(self) -> Iterator[Seek]:
        return iter(tuple(self._seeks.values()))

    def get(self, seek_id: str) -> Seek | None:
        """Return the open seek ``seek_id``."""
        return self._seeks.get(seek_id)

    def of_user(self, user_id: str) -> tuple[Seek, ...]:
        """Return the open seeks of a user."""
        return tuple(self._by_user.get(user_id, {}).values())

    def is_gone(self, seek_id: str) -> bool:
        """Return whether ``seek_id`` was closed recently."""
        return seek_id in self._gone

    def load(self, seeks: list[Seek], now_ms: int) -> None:
        """Load the stored seeks at the start, without events: clients get a snapshot."""
        for seek in seeks:
            self._insert(seek)
            if seek.user.id not in self._here:
                self._away_until[seek.user.id] = now_ms + RESTART_AWAY_MS

    def add(self, seek: Seek, now_ms: int) -> LobbyAddWire:
        """Add ``seek`` and return the event to publish. The owner may have left while it was stored."""
        self._insert(seek)
        if seek.user.id not in self._here:
            self._away_until.setdefault(seek.user.id, now_ms + AWAY_MS)
        self.seq += 1
        return {"t": "lobby.add", "seq": self.seq, **seek_wire(seek)}

    def remove(self, seek_id: str) -> LobbyGoneWire | None:
        """Remove ``seek_id`` and return the event to publish; None if it was not listed."""
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
        """Return the seeks that fit ``seek``, longest waiting first.

        Seeks of absent owners are left out: a game against an absent opponent is worse than waiting.
        """
        return [
            other
            for other in self._by_terms.get(seek.terms, {}).values()
            if other.user.id in self._here and match(seek, other)
        ]

    def is_here(self, user_id: str) -> bool:
        """Return whether the user has a socket."""
        return user_id in self._here

    def came(self, user_id: str) -> None:
        """Note that the user has a socket."""
        self._here.add(user_id)
        self._away_until.pop(user_id, None)

    def left(self, user_id: str, now_ms: int) -> None:
        """Note that the user's last socket is closed."""
        self._here.discard(user_id)
        if user_id in self._by_user:
            self._away_until[user_id] = now_ms + AWAY_MS

    def due(self, now_ms: int) -> list[str]:
        """Return the seeks that are too old or whose owners have been away for too long."""
        away = [user_id for user_id, until_ms in self._away_until.items() if until_ms <= now_ms]
        due = dict.fromkeys(seek_id for user_id in away for seek_id in self._by_user[user_id])
        due |= dict.fromkeys(seek.id for seek in self._seeks.values() if seek.created_ms + SEEK_MS <= now_ms)
        return list(due)

    def snapshot(self, *, games: int, online: int) -> OpenSeeksWire:
        """Return the ``lobby`` message."""
        seeks = [seek_wire(seek) for seek in self._seeks.values()]
        return {"t": "lobby", "seq": self.seq, "seeks": seeks, "games": games, "online": online}

    def _insert(self, seek: Seek) -> None:
        self._seeks[seek.id] = seek
        self._by_terms.setdefault(seek.terms, {})[seek.id] = seek
        self._by_user.setdefault(seek.user.id, {})[seek.id] = seek


def _discard(index: dict[Any, dict[str, Seek]], key: Any, seek_id: str) -> None:
    """Remove an entry, and the inner dict with its last entry, so that the index does not grow without bound."""
    del index[key][seek_id]
    if not index[key]:
        del index[key]
