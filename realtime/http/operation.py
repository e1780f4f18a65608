"""Declarations of the operations of the HTTP API: routes, permissions and documentation are derived from them."""

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
"""What moderation actions require. API tokens are not accepted."""

NOBODY = {404: "no such user"}
NO_GAME = {404: "no such game"}
UNKNOWN_TOKEN = {401: "the bearer token is unknown, expired or revoked"}
BAD_FIELD = {422: "an invalid field; `field` names it"}
BAD_NAME_OR_PASSWORD = {401: "wrong username, password or code", **BAD_FIELD}
EXPORTING = {503: "too many exports are in progress"}


class Operation(msgspec.Struct, frozen=True, eq=False):
    """One method of one path, and the decorator of its handler::

        class Accounts:
            @Operation("GET /api/v1/me", SOMEBODY, id="getMe", answer=MeWire)
            async def me(self, request: Request) -> Response:
                \"""Return the current user.\"""

    Attributes:
        name: method and path.
        permission: what the caller needs. It is checked before the handler runs.
        id: the ``operationId``, used by generated clients.
        answer: the type of the response; None if it has no body.
        status: the status of the response.
        media: the media type of the response.
        query: the type of the query parameters.
        body: the type of the request body.
        body_media: the media type of the request body.
        max_body: maximum bytes of the request body. If it exceeds ``MAX_BODY``, the handler reads the body as a stream
            and limits the time that this takes; such a path has no parameters.
        fails: errors by status, in addition to those of all operations (``openapi.py``).
        handler: the name of the decorated method.
        summary: the first line of the handler's docstring.
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
        """Declare ``handler`` as the handler of this operation."""
        summary = (handler.__doc__ or "").partition("\n")[0].replace("``", "`")
        handler.__dict__["operation"] = msgspec.structs.replace(self, handler=handler.__name__, summary=summary)
        return handler

    @property
    def method(self) -> str:
        """Return the HTTP method."""
        return self.name.partition(" ")[0]

    @property
    def path(self) -> str:
        """Return the path, with its parameters in braces."""
        return self.name.partition(" ")[2]


def operations_of(*apis: type) -> tuple[Operation, ...]:
    """Return the operations declared by the methods of these classes."""
    members = (getattr(member, "operation", None) for api in apis for member in vars(api).values())
    return tuple(member for member in members if isinstance(member, Operation))
