"""Creation of many guests over kept-alive connections."""

from __future__ import annotations

import asyncio
import http.client
import json
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from harness.demo.errors import DemoFailed, RequestRefused
from harness.demo.retries import Retries

if TYPE_CHECKING:
    from urllib.parse import SplitResult

CONNECTIONS = 4
"""Concurrent connections; each guest is a row in the server's database."""

TIMEOUT_S = 20.0

BUSY = (TimeoutError, ConnectionResetError, BrokenPipeError)
"""Errors of a server that is too busy to answer."""


async def new_guests(url: SplitResult, number: int, retries: Retries | None = None) -> list[str]:
    """Create ``number`` guests and return their tokens.

    Raises:
        DemoFailed: there is no such server, or it allows fewer guests an address.
        RequestRefused: it was retried for longer than ``retries`` allows.
    """
    retries = retries or Retries(Random())  # noqa: S311  when to ask again
    shares = [number // CONNECTIONS + (k < number % CONNECTIONS) for k in range(CONNECTIONS)]
    found = await asyncio.gather(*(_create_guests(url, share, retries) for share in shares if share))
    return [token for share in found for token in share]


async def _create_guests(url: SplitResult, number: int, retries: Retries) -> list[str]:
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = kind(url.netloc, timeout=TIMEOUT_S)
    try:
        return [await retries.run(partial(asyncio.to_thread, _new_guest, connection, url)) for _ in range(number)]
    finally:
        connection.close()


def _new_guest(connection: http.client.HTTPConnection, url: SplitResult) -> str:
    """Create one guest. Blocking."""
    try:
        connection.request("POST", "/api/v1/guest", headers={"Content-Length": "0"})
        response = connection.getresponse()
        body = _object(response.read())
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        message = f"no answer from {url.geturl()}: {error}"
        raise (RequestRefused("unavailable", message) if isinstance(error, BUSY) else DemoFailed(message)) from error
    if response.status == http.client.SERVICE_UNAVAILABLE:
        raise RequestRefused("unavailable", f"{url.geturl()} makes no guests: {_error_message(body)}")
    if response.status == http.client.TOO_MANY_REQUESTS:
        raise DemoFailed(
            f"{url.geturl()} makes no more guests for this address ({_error_message(body)}); start it with "
            "--limit connections=2000,guests=2000, or take fewer boards"
        )
    token = body.get("token")
    if response.status != http.client.CREATED or not isinstance(token, str):
        raise DemoFailed(f"{url.geturl()} makes no guests: {response.status} {_error_message(body)}".rstrip())
    return token


def _error_message(body: dict[str, Any]) -> str:
    """Return the message of a refusal, ``{"error": {"code", "message"}}``; empty if it is not from our server."""
    error = body.get("error")
    message = error.get("message") if isinstance(error, dict) else None
    return message if isinstance(message, str) else ""


def _object(text: bytes) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
