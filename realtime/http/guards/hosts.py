"""The check of the ``Host`` header: addresses in responses are built from it, so requests for other hosts are
refused."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from realtime.http.guards.failures import failure

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PROBES = {"/healthz", "/readyz", "/metrics"}
"""Paths of probes, which are requested by IP address."""


class OwnHosts:
    """Middleware that answers 421 to requests for other hosts (RFC 9110 §15.5.20).

    Args:
        hosts: the server's host names in lower case, without ports; if empty, every host is accepted.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self.app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._hosts and scope["type"] == "http" and scope["path"] not in PROBES:
            host = host_of(Headers(scope=scope).get("host", ""))
            if host not in self._hosts:
                response = failure(HTTPStatus.MISDIRECTED_REQUEST, "bad_message", "unknown host name")
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)


def host_of(header: str) -> str:
    """Return the host of a ``Host`` header in lower case, without port and final dot; IPv6 keeps its brackets."""
    host, bracket, port = header.lower().rpartition("]")
    return host + bracket if bracket else port.partition(":")[0].removesuffix(".")
