"""Requests that are repeated under their key until they are answered."""

from __future__ import annotations

import asyncio
import json
import secrets
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import TYPE_CHECKING

from harness.chaos.errors import Violation
from harness.chaos.socket import GONE, Socket

if TYPE_CHECKING:
    import random

    from harness.chaos.socket import Message

AGAIN_S = (0.1, 0.4)
"""Delay before a retry."""

ANSWER_S = 15.0
"""Timeout of an answer. A server answers within ten seconds unless it is paused."""

HTTP_S = 20.0

PASSWORD = "correct horse battery"  # noqa: S105  of people whom nobody else will ever be
_BUSY = (429, 502, 503, 504)


async def request_until_done(url: str, token: str, chance: random.Random, request: Message) -> Message:
    """Return the ``ok`` of ``request``, which has a ``key``, over as many sockets as needed.

    Raises:
        Violation: it was refused other than as ``unavailable`` or ``rate_limited``.
    """
    while True:
        try:
            async with asyncio.timeout(ANSWER_S), Socket(url, token) as socket:
                answer = await send_request(socket, request)
        except (*GONE, TimeoutError):
            answer = {"code": "unavailable"}
        if answer.get("t") == "ok":
            return answer
        if answer["code"] not in ("unavailable", "rate_limited"):
            raise Violation(f"{request} got {answer}")
        await asyncio.sleep(chance.uniform(*AGAIN_S))


async def send_request(socket: Socket, request: Message) -> Message:
    """Return the answer to one request, ``ok`` or ``error``. Raises one of ``GONE``."""
    await socket.send({"id": 1, **request})
    async for message in socket:
        if message.get("id") == 1:
            return message
    raise ConnectionError("the socket was closed")


async def new_guest(url: str, chance: random.Random) -> tuple[str, Message]:
    """Create a guest; return the token and the user."""
    return await _enter(f"{url}/api/v1/guest", {}, chance)


async def new_member(url: str, chance: random.Random) -> tuple[str, Message]:
    """Create a member; return the token and the user."""
    body = {"name": f"Chaos-{secrets.token_hex(5)}", "password": PASSWORD}
    try:
        return await _enter(f"{url}/api/v1/signup", body, chance)
    except Violation as error:
        if "name_taken" not in str(error):
            raise
        return await _enter(f"{url}/api/v1/login", body, chance)  # the answer to the first attempt was lost


async def _enter(address: str, body: Message, chance: random.Random) -> tuple[str, Message]:
    while True:
        try:
            status, found = await asyncio.to_thread(_post, address, body)
        except (OSError, EOFError, ValueError, HTTPException):
            status, found = 503, {}
        if status < 300:
            return found["token"], found["user"]
        if status not in _BUSY:
            raise Violation(f"{address}: {status} {found}")
        await asyncio.sleep(chance.uniform(*AGAIN_S))


def _post(address: str, body: Message) -> tuple[int, Message]:
    """Return status and body of the answer. Blocking."""
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    try:
        with urllib.request.urlopen(request, timeout=HTTP_S) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)
