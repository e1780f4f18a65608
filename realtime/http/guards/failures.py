"""Error responses: the HTTP status and ``{"error":{"code","message"}}``."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import asyncpg
import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from game_core.errors import Refusal
from lobby.errors import BadField, RateLimited, Unavailable
from realtime.postgres.database import classify
from realtime.protocol.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from game_core.errors import ErrorCode
    from realtime.protocol.wire_http import FailureWire

log = logging.getLogger(__name__)

STATUS = {
    "bad_message": HTTPStatus.BAD_REQUEST,
    "unauthenticated": HTTPStatus.UNAUTHORIZED,
    "bad_credentials": HTTPStatus.UNAUTHORIZED,
    "forbidden": HTTPStatus.FORBIDDEN,
    "not_found": HTTPStatus.NOT_FOUND,
    "conflict": HTTPStatus.CONFLICT,
    "name_taken": HTTPStatus.CONFLICT,
    "rate_limited": HTTPStatus.TOO_MANY_REQUESTS,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
}
"""The HTTP status of each error code."""

CODE: dict[HTTPStatus, ErrorCode] = {
    HTTPStatus.UNAUTHORIZED: "unauthenticated",
    HTTPStatus.FORBIDDEN: "forbidden",
    HTTPStatus.NOT_FOUND: "not_found",
}
"""The error codes for errors of Starlette itself; all others are ``bad_message``."""

RETRY_AFTER_S = 1
"""``Retry-After`` of 500 and 503: a database outage usually ends within two seconds."""


def json_response(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return ``content`` as a JSON response."""
    return Response(msgspec.json.encode(content), status, headers, media_type="application/json")


def failure(status: int, code: ErrorCode, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response to a request that failed."""
    body: FailureWire = {"error": {"code": code, "message": message}}
    return json_response(body, status, headers)


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    if isinstance(error, BadField):
        wrong = {"error": {"code": error.code, "message": error.message, "field": error.field}}
        return json_response(wrong, HTTPStatus.UNPROCESSABLE_ENTITY)
    headers = {}
    status = STATUS.get(error.code, HTTPStatus.CONFLICT)
    if status is HTTPStatus.UNAUTHORIZED:  # RFC 9110 §15.5.2 requires it with every 401
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, Unavailable):
        headers["Retry-After"] = str(RETRY_AFTER_S)
    if isinstance(error, RateLimited):
        headers["Retry-After"] = str(error.retry_after_s)
    return failure(status, error.code, error.message, headers)


async def not_served(_request: Request, error: Exception) -> Response:
    """Return the response to an error of Starlette itself: path, method or body."""
    assert isinstance(error, HTTPException)
    code = CODE.get(HTTPStatus(error.status_code), "bad_message")
    return failure(error.status_code, code, str(error.detail).lower(), error.headers)


async def _storage(_request: Request, error: Exception) -> Response:
    if not isinstance(error, DatabaseError) and classify(error) is None:
        raise error
    log.warning("request failed, the database is in trouble: %r", error)
    return failure(503, "unavailable", "the database is not responding; try again", {"Retry-After": str(RETRY_AFTER_S)})


async def _gone(_request: Request, _error: Exception) -> Response:
    # The client has disconnected, so nobody reads this.
    return Response(status_code=HTTPStatus.BAD_REQUEST)


async def broken(_request: Request, _error: Exception) -> Response:
    """Return the response to an internal error."""
    # Starlette re-raises the error after this, and uvicorn logs it.
    message = "internal server error; the server's log has the details"
    return failure(500, "unavailable", message, {"Retry-After": str(RETRY_AFTER_S)})


HANDLERS = {
    Refusal: _refused,
    HTTPException: not_served,
    asyncpg.PostgresError: _storage,
    asyncpg.InterfaceError: _storage,
    asyncpg.InternalClientError: _storage,
    OSError: _storage,
    DatabaseError: _storage,
    ClientDisconnect: _gone,
}
"""Exception handlers for Starlette; ``broken`` handles all other exceptions."""
