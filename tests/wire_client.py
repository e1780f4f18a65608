"""A client of the protocol for tests: real sockets, both codecs, every message recorded."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import urllib.request
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgpack  # type: ignore[import-untyped]  # it ships no annotations
from websockets.asyncio.client import ClientConnection, connect

if TYPE_CHECKING:
    from collections.abc import Callable

Message = dict[str, Any]

WAIT_S = 20.0
"""Timeout for a message: far longer than any takes."""


PASSWORD = "correct horse battery"
"""Password of all members in tests."""


class Refusal(AssertionError):
    """The server answered a request with an error."""

    def __init__(self, message: Message) -> None:
        super().__init__(f"{message['code']}: {message['message']}")
        self.code: str = message["code"]


def guest(url: str) -> tuple[str, Message]:
    """Create a guest; return token and user. Blocking."""
    request = urllib.request.Request(f"{url}/api/v1/guest", method="POST", data=b"")
    with urllib.request.urlopen(request, timeout=WAIT_S) as response:
        body = json.load(response)
    return body["token"], body["user"]


_numbers = itertools.count(1)


def member(url: str, name: str | None = None, password: str = PASSWORD) -> tuple[str, Message]:
    """Create a member; return token and user. Blocking. Without ``name`` they get an unused one."""
    body = {"name": name or f"Member-{os.urandom(4).hex()}-{next(_numbers)}"[:20], "password": password}
    return _entered(url, "signup", body)


def login(url: str, name: str, password: str = PASSWORD) -> tuple[str, Message]:
    """Open another session of a member. Blocking."""
    return _entered(url, "login", {"name": name, "password": password})


def _entered(url: str, how: str, body: Message) -> tuple[str, Message]:
    request = urllib.request.Request(
        f"{url}/api/v1/{how}", json.dumps(body).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(request, timeout=WAIT_S) as response:
        answer = json.load(response)
    return answer["token"], answer["user"]


class Client:
    """One socket. ``messages`` has everything that it received, in order.

    Use as ``async with Client(url, token) as client``.

    Attributes:
        hear: called with every message that any client receives.
        done: called with every request of any client that was answered with ``ok``.
    """

    hear: ClassVar[Callable[[Message], None]] = staticmethod(lambda message: None)
    done: ClassVar[Callable[[Message], None]] = staticmethod(lambda message: None)

    def __init__(self, url: str, token: str | None = None, codec: str = "msgpack") -> None:
        self.url = url
        self.token = token
        self.codec = codec
        self.messages: list[Message] = []
        self.welcome: Message = {}
        self.closed_with: int | None = None
        self._arrived = asyncio.Condition()
        self._ids = itertools.count(1)
        self._socket: ClientConnection
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        self._socket = await connect(
            self.url.replace("http", "ws", 1) + "/ws",
            additional_headers=headers,
            subprotocols=[f"zeitnot.v1.{self.codec}"],  # type: ignore[list-item]  # a NewType of str
            compression=None,
            max_size=None,
            ping_interval=None,
        )
        self._reader = asyncio.create_task(self._read(), name="client reads")
        self.welcome = await self.wait(lambda m: m["t"] == "welcome")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self, code: int = 1000) -> None:
        """Close the socket, if it is open, and wait until it is closed."""
        if self.closed_with is None:
            await self._socket.close(code)
        if self._reader is not None:
            await self._reader

    def drop(self) -> None:
        """Cut the connection without a closing handshake."""
        self._socket.transport.abort()

    async def send(self, message: Message) -> None:
        """Send a message without waiting."""
        await self._socket.send(msgpack.packb(message) if self.codec == "msgpack" else json.dumps(message))

    async def send_raw(self, payload: str | bytes) -> None:
        """Send a frame unchanged."""
        await self._socket.send(payload)

    async def request(self, kind: str, **fields: Any) -> Message:
        """Send a request and return the ``ok``. Raises ``Refusal``."""
        number = next(self._ids)
        asked = {"t": kind, "id": number, **fields}
        await self.send(asked)
        answer = await self.wait(lambda m: m.get("id") == number)
        if answer["t"] == "error":
            raise Refusal(answer)
        assert answer["t"] == "ok", answer
        Client.done(asked)
        return answer

    async def refused(self, kind: str, **fields: Any) -> str:
        """Send a request and return the code of the expected refusal."""
        with contextlib.suppress(Refusal):
            answer = await self.request(kind, **fields)
            raise AssertionError(f"{kind} {fields} was not refused: {answer}")
        code: str = next(m["code"] for m in reversed(self.messages) if m["t"] == "error")
        return code

    async def wait(self, wanted: Callable[[Message], bool], after: int = 0) -> Message:
        """Return the first message from position ``after`` for which ``wanted`` holds."""
        position = after
        async with asyncio.timeout(WAIT_S), self._arrived:
            while True:
                while position < len(self.messages):
                    if wanted(self.messages[position]):
                        return self.messages[position]
                    position += 1
                if self.closed_with is not None:
                    raise ConnectionError(f"closed with {self.closed_with} before the message came")
                await self._arrived.wait()

    async def event(self, game: str, seq: int) -> Message:
        """Return event number ``seq`` of a game."""
        return await self.wait(lambda m: m.get("g") == game and m.get("seq") == seq and m["t"] != "game")

    def events(self, game: str) -> list[Message]:
        """Return the numbered events of a game so far."""
        return [m for m in self.messages if m.get("g") == game and "seq" in m and m["t"] not in ("game", "ok")]

    async def sub(self, game: str, **fields: Any) -> Message:
        """Subscribe to a game and return its snapshot."""
        start = len(self.messages)
        await self.request("sub", topic=f"game:{game}", **fields)
        return await self.wait(lambda m: m["t"] == "game" and m["g"] == game, start)

    async def _read(self) -> None:
        try:
            async for payload in self._socket:
                message = json.loads(payload) if isinstance(payload, str) else msgpack.unpackb(payload)
                Client.hear(message)
                async with self._arrived:
                    self.messages.append(message)
                    self._arrived.notify_all()
        except Exception as error:  # the connection ended; all waiting calls fail
            if not isinstance(error, (ConnectionError, OSError)) and "close" not in type(error).__name__.lower():
                raise
        finally:
            async with self._arrived:
                self.closed_with = self._socket.close_code if self._socket.close_code is not None else 1006
                self._arrived.notify_all()
