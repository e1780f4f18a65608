"""An operation of the HTTP API: one declaration, from which its route, its permission and its documentation follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from realtime.http.bodies.body import MAX_BODY
from realtime.protocol.permissions import Permission

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.responses import Response

Handler = TypeVar("Handler", bound="Callable[..., Awaitable[Response]]")

PREFIX = "/api/"

JSON = "application/json"
TEXT = "text/plain"

SOMEBODY = Permission("somebody")
MEMBER_READ = Permission("member", "read")
MEMBER_PLAY = Permission("member", "play")

MODERATE = Permission("member", session=True, roles=("moderator",))
"""Requirement of what a moderator does to others: an API token cannot do it."""

NOBODY = {404: "nobody of that name"}
NO_GAME = {404: "no such game"}
UNKNOWN_TOKEN = {401: "that bearer token is unknown, expired or revoked"}
BAD_FIELD = {422: "a field that cannot be taken; `field` names it"}
BAD_NAME_OR_PASSWORD = {401: "not this name with this password or code", **BAD_FIELD}
EXPORTING = {503: "several exports are under way"}


class Operation(msgspec.Struct, frozen=True, eq=False):
    """One method of one address, and the decorator of the handler that answers it::

        class Accounts:
            @Operation("GET /api/v1/me", SOMEBODY, id="getMe", answer=MeWire)
            async def me(self, request: Request) -> Response:
                \"""Who one is and what one may do.\"""

    Attributes:
        name: method and path.
        permission: what the caller needs. It is checked before the handler runs.
        id: what generated clients call it.
        answer: the type of its answer; None where there is no body.
        status: of that answer.
        media: of that answer.
        query: the parts behind the question mark.
        body: the type of the request's body.
        body_media: of that body.
        max_body: bytes that a body may have. The handler of a body longer than ``MAX_BODY`` reads it while it comes and
            limits the time that this takes; such an address has no parameters in its path.
        fails: what it can answer besides what all of its kind can (``openapi.py``), by status.
        handler: the name of the decorated method.
        summary: what it does, the first line of the handler's docstring.
    """

    name: str
    permission: Permission
    id: str
    answer: Any = None
    status: int = 200
    media: str = JSON
    query: type[msgspec.Struct] | None = None
    body: Any = None
    body_media: str = JSON
    max_body: int = MAX_BODY
    fails: dict[int, str] = {}
    handler: str = ""
    summary: str = ""

    def __call__(self, handler: Handler) -> Handler:
        """Declare that ``handler`` answers this operation."""
        summary = (handler.__doc__ or "").partition("\n")[0].replace("``", "`")
        handler.__dict__["operation"] = msgspec.structs.replace(self, handler=handler.__name__, summary=summary)
        return handler

    @property
    def method(self) -> str:
        """The HTTP method."""
        return self.name.partition(" ")[0]

    @property
    def path(self) -> str:
        """The address, with its parameters in braces."""
        return self.name.partition(" ")[2]


def operations_of(*apis: type) -> tuple[Operation, ...]:
    """Return the operations that the methods of these classes are declared to answer."""
    members = (getattr(member, "operation", None) for api in apis for member in vars(api).values())
    return tuple(member for member in members if isinstance(member, Operation))
