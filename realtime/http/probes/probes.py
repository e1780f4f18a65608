"""What those who run the server ask it: is it up, can it take work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lobby.errors import Unavailable
from realtime.http.guards.failures import json_response

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from realtime.protocol.wire_types import StatusWire


class Readiness(Protocol):
    """Whether new clients should come here."""

    def why_not_ready(self) -> str | None:
        """What stands in the way; None when nothing does."""


class Probes:
    """``/healthz`` and ``/readyz``."""

    def __init__(self, readiness: Readiness) -> None:
        self._readiness = readiness

    async def healthz(self, _request: Request) -> Response:
        """200: the process is up and its loop runs."""
        status: StatusWire = {"status": "ok"}
        return json_response(status)

    async def readyz(self, _request: Request) -> Response:
        """200: it can take work; 503 says what is missing."""
        why_not = self._readiness.why_not_ready()
        if why_not is not None:
            raise Unavailable(why_not)
        status: StatusWire = {"status": "ready"}
        return json_response(status)
