"""New guests of a server, as many as are wanted, over kept-alive connections."""

from __future__ import annotations

import asyncio
import http.client
import json
from typing import TYPE_CHECKING, Any

from realtime.demo.errors import DemoFailed

if TYPE_CHECKING:
    from urllib.parse import SplitResult

CONNECTIONS = 4
"""Side by side; each guest is a row in the server's database."""

TIMEOUT_S = 20.0


async def new_guests(url: SplitResult, number: int) -> list[str]:
    """The tokens of ``number`` new guests.

    Raises:
        DemoFailed: there is no such server, or it makes fewer guests for one address.
    """
    shares = [number // CONNECTIONS + (k < number % CONNECTIONS) for k in range(CONNECTIONS)]
    found = await asyncio.gather(*(asyncio.to_thread(_ask, url, share) for share in shares if share))
    return [token for share in found for token in share]


def _ask(url: SplitResult, number: int) -> list[str]:
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = kind(url.netloc, timeout=TIMEOUT_S)
    try:
        return [_new_guest(connection, url) for _ in range(number)]
    except (OSError, http.client.HTTPException) as error:
        raise DemoFailed(f"no answer from {url.geturl()}: {error}") from error
    finally:
        connection.close()


def _new_guest(connection: http.client.HTTPConnection, url: SplitResult) -> str:
    connection.request("POST", "/api/v1/guest", headers={"Content-Length": "0"})
    response = connection.getresponse()
    body = _object(response.read())
    if response.status == http.client.TOO_MANY_REQUESTS:
        raise DemoFailed(
            f"{url.geturl()} makes no more guests for this address ({_told(body)}); start it with "
            "--limit connections=2000,guests=2000, or take fewer boards"
        )
    token = body.get("token")
    if response.status != http.client.CREATED or not isinstance(token, str):
        raise DemoFailed(f"{url.geturl()} makes no guests: {response.status} {_told(body)}".rstrip())
    return token


def _told(body: dict[str, Any]) -> str:
    """What the server says of its refusal, ``{"error": {"code", "message"}}``; empty where it is no server of ours."""
    error = body.get("error")
    message = error.get("message") if isinstance(error, dict) else None
    return message if isinstance(message, str) else ""


def _object(text: bytes) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
