"""Health and readiness probes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lobby.errors import Unavailable
from realtime.http.guards.failures import json_response
from realtime.http.operation import Operation
from realtime.protocol.permissions import ANYBODY
from realtime.protocol.wire_http import StatusWire

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


class ReadinessCheck(Protocol):
    """The readiness of this server for new clients."""

    def why_not_ready(self) -> str | None:
        """Return why this server is not ready; None if it is ready."""


class Probes:
    """``/healthz`` and ``/readyz``."""

    def __init__(self, readiness: ReadinessCheck) -> None:
        self._readiness = readiness

    @Operation("GET /healthz", ANYBODY, id="getHealth", answer=StatusWire)
    async def healthz(self, _request: Request) -> Response:
        """Report that the process is running."""
        status: StatusWire = {"status": "ok"}
        return json_response(status)

    @Operation(
        "GET /readyz",
        ANYBODY,
        id="getReadiness",
        answer=StatusWire,
        fails={503: "the server is stopping, or the database is not responding"},
    )
    async def readyz(self, _request: Request) -> Response:
        """Report whether the server is ready for new clients."""
        why_not = self._readiness.why_not_ready()
        if why_not is not None:
            raise Unavailable(why_not)
        status: StatusWire = {"status": "ready"}
        return json_response(status)
