"""The building blocks of requests: base classes, the table of types, and common fields with their limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, cast

import msgspec
from msgspec import Meta

from game_core.public_delay import MAX_DELAY_MOVES, MAX_DELAY_S
from lobby.proposals import MAX_RATING
from realtime.protocol.permissions import Permission

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SAFE_INT = 2**53
"""Integers within ± this are exact in JavaScript, whose numbers are doubles."""

RequestId = Annotated[int, Meta(ge=-SAFE_INT, le=SAFE_INT)]
Key = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[^\x00]*$")]
"""Without NUL, which PostgreSQL cannot store."""
Id = Annotated[str, Meta(min_length=1, max_length=64)]
"""The id of a game, seek or challenge; actual ids are shorter."""
Topic = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=32)]
MoveText = Annotated[str, Meta(min_length=1, max_length=64)]
"""The longest captures of draughts have a dozen squares; 64 characters are enough for twenty."""
Ply = Annotated[int, Meta(ge=0, le=5000)]
"""Longer games are possible under the 75-move rule, but none has been played on any server."""
Seq = Annotated[int, Meta(ge=0, le=SAFE_INT)]
Rating = Annotated[int, Meta(ge=0, le=MAX_RATING)]
DelayS = Annotated[int, Meta(ge=0, le=MAX_DELAY_S)]
DelayMoves = Annotated[int, Meta(ge=0, le=MAX_DELAY_MOVES)]


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all requests."""

    t: ClassVar[str]
    """The name of the request type on the wire."""
    permission: ClassVar[Permission]
    id: RequestId | None = None
    """The client's number for the request. Without one, only an error is answered."""

    def needs(self) -> Permission:
        """Return the required permission."""
        return self.permission


class ChangeRequest(Request, frozen=True, kw_only=True):
    """Base of the requests that change something."""

    key: Key | None = None
    """The idempotency key: a repeated request of the same user gets the same reply, even after a crash."""


AnyRequest = TypeVar("AnyRequest", bound=Request)


class RequestTypes(dict[str, type[Request]]):
    """Request types by their names on the wire, in the order of the documentation."""

    def declare(self, name: str, permission: Permission) -> Callable[[type[AnyRequest]], type[AnyRequest]]:
        """Register the decorated type under its name, with its permission."""

        def enter(request: type[AnyRequest]) -> type[AnyRequest]:
            assert name not in self, f"two requests are called {name}"
            request.t, request.permission = name, permission
            self[name] = request
            return request

        return enter


def with_fields(fields: Iterable[tuple[str, Any, Any]]) -> Callable[[type[AnyRequest]], type[AnyRequest]]:
    """Append ``fields`` (name, type, default) to those of the decorated type."""

    def extend(request: type[AnyRequest]) -> type[AnyRequest]:
        extended = msgspec.defstruct(
            request.__name__,
            fields,
            bases=(request,),
            module=request.__module__,
            namespace={"__doc__": request.__doc__},
            frozen=True,
            kw_only=True,
        )
        return cast("type[AnyRequest]", extended)

    return extend
