"""What requests are made of: the bases, and fields that several have, each within its limits."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from game_core.public_delay import MAX_DELAY_MOVES, MAX_DELAY_S
from lobby.proposals import MAX_RATING

SAFE_INT = 2**53
"""Integers within ± this are exact in JavaScript, whose numbers are doubles."""

RequestId = Annotated[int, Meta(ge=-SAFE_INT, le=SAFE_INT)]
Key = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[^\x00]*$")]
"""Without NUL, which PostgreSQL cannot store."""
Id = Annotated[str, Meta(min_length=1, max_length=64)]
"""Of a game, seek or challenge; ours are shorter."""
Topic = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=32)]
MoveText = Annotated[str, Meta(min_length=1, max_length=64)]
"""The longest captures of draughts name a dozen squares; 64 characters hold twenty."""
Ply = Annotated[int, Meta(ge=0, le=5000)]
"""The longest game possible under the 75-move rule is longer, the longest one played on any server is not."""
Seq = Annotated[int, Meta(ge=0, le=SAFE_INT)]
Rating = Annotated[int, Meta(ge=0, le=MAX_RATING)]
DelayS = Annotated[int, Meta(ge=0, le=MAX_DELAY_S)]
DelayMoves = Annotated[int, Meta(ge=0, le=MAX_DELAY_MOVES)]


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all requests."""

    id: RequestId | None = None
    """The client's number for it; without one only a failure is answered."""


class Change(Request, frozen=True, kw_only=True):
    """Base of the requests that change something."""

    key: Key | None = None
    """The same user with the same key gets the same reply, also after a crash."""
