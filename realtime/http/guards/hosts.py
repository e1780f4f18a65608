"""Requests for other hosts than the server's own are refused: addresses in answers are built from ``Host``."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from realtime.http.guards.failures import failure

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PROBES = {"/healthz", "/readyz", "/metrics"}
"""Asked for by address."""


class OwnHosts:
    """Answers with 421 (RFC 9110 §15.5.20).

    Args:
        hosts: names without ports, in small letters; none: any host is the server's own.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self.app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._hosts and scope["type"] == "http" and scope["path"] not in PROBES:
            host = host_of(Headers(scope=scope).get("host", ""))
            if host not in self._hosts:
                response = failure(HTTPStatus.MISDIRECTED_REQUEST, "bad_message", "this server has another name")
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)


def host_of(header: str) -> str:
    """The host of a ``Host`` header, in small letters, without port and final dot; IPv6 keeps its brackets."""
    host, bracket, port = header.lower().rpartition("]")
    return host + bracket if bracket else port.partition(":")[0].removesuffix(".")
