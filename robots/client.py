"""A websocket client for bots: requests with their answers, and all other messages as an asynchronous iterator.

    async with BotClient("http://127.0.0.1:8000", token) as bot:
        async for message in bot:
            if message["t"] == "paired":
                await bot.request("sub", topic=f"game:{message['g']}", legal=True)

It keeps the server's limits: requests beyond the published rate wait. It does not reconnect: when the connection is
lost, iteration ends, and requests raise ``BotDisconnected``. Open a new client then.
"""

from __future__ import annotations

import asyncio
import itertools
import urllib.error
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlencode

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from types import TracebackType

Message = dict[str, Any]

TIMEOUT_S = 15.0
"""Timeout of a handshake with its welcome, of an answer, and of a ping. A server answers every request, with
``unavailable`` after ten seconds at the latest."""

PART = 0.75
"""Part of the published rate that is used: the server measures arrival, and a network may deliver late ones at once."""

GET_S = 5.0
"""Timeout of an HTTP request."""

AT_ONCE = 8
"""Requests that wait for their answers at a time. The server refuses more than 16 that need its database."""

UNREAD = 10_000
"""Messages that may wait to be read. Beyond it the connection is closed: the reader is too slow."""


class _Failure(msgspec.Struct):
    """The error of an HTTP answer."""

    code: str
    message: str


class _Failed(msgspec.Struct):
    error: _Failure


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Message).decode


class BotRefused(Exception):
    """The server has refused a request.

    Attributes:
        code: of the protocol, for instance ``conflict``.
        message: what is wrong, for people.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class BotDisconnected(Exception):
    """There is no connection: the server is not reachable, has closed it, or refuses the token.

    Attributes:
        status: the HTTP status of a refused handshake; 401 is a wrong token. None if there was none.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class BotClient:
    """One websocket.

    Args:
        url: of the server, ``http://HOST:PORT`` or ``https://HOST``; the latter by the environment's proxy, if any.
        token: an API token with the scopes ``read`` and ``play``; None: only watch.
        timeout_s: of a handshake with its welcome, and of an answer. A ping is sent as often and waits as long.

    Attributes:
        welcome: the server's first message: ``user``, ``now``, ``games`` (ids of the games in progress), ``limits``.
    """

    def __init__(self, url: str, token: str | None = None, *, timeout_s: float = TIMEOUT_S) -> None:
        self.welcome: Message = {}
        self._url = url.rstrip("/")
        self._token = token
        self._timeout_s = timeout_s
        self._socket: ClientConnection
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self._unread: asyncio.Queue[Message | None] = asyncio.Queue(UNREAD)
        self._reader: asyncio.Task[None] | None = None
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._next_s = 0.0
        """When the next request may be sent if all earlier ones were sent at the sustained rate."""

    async def __aenter__(self) -> Self:
        """Open the connection. Raises ``BotDisconnected``."""
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        await self.close()

    async def __aiter__(self) -> AsyncIterator[Message]:
        """Yield every message that answers no request, until the connection is lost."""
        while (message := await self._unread.get()) is not None:
            yield message

    @property
    def is_open(self) -> bool:
        """Whether the connection is open, as far as is known."""
        return self._reader is not None and not self._reader.done()

    async def open(self) -> None:
        """Connect, and read the welcome. Raises ``BotDisconnected``."""
        headers = {} if self._token is None else {"Authorization": f"Bearer {self._token}"}
        connection = connect(
            self._url.replace("http", "ws", 1) + "/ws",
            additional_headers=headers,
            subprotocols=["zeitnot.v1.msgpack"],  # type: ignore[list-item]  # a NewType of str
            compression=None,
            max_size=None,  # the snapshot of a long game has tens of kilobytes
            ping_interval=self._timeout_s,
            ping_timeout=self._timeout_s,
            open_timeout=None,
            close_timeout=1.0,
            proxy=self._is_far or None,
        )
        try:
            async with asyncio.timeout(self._timeout_s):
                self._socket = await connection
                self.welcome = await self._read_welcome()
        except InvalidStatus as error:
            status, why = error.response.status_code, bytes(error.response.body or b"").decode(errors="replace")
            message = f"{self._url} refuses a socket: {status} {why[:200]}"
            raise BotDisconnected(message.rstrip(), status) from error
        except (InvalidHandshake, ConnectionClosed, TimeoutError, OSError, msgspec.DecodeError) as error:
            raise BotDisconnected(f"no socket to {self._url}: {str(error) or type(error).__name__}") from error
        self._reader = asyncio.create_task(self._read(), name="read a bot's socket")

    async def request(self, kind: str, **fields: Any) -> Message:
        """Send a request and return the fields of its ``ok``. Waits while the rate limit allows no more requests.

        Raises:
            BotRefused: the server has refused it.
            BotDisconnected: the connection was lost: whether it had an effect is unknown. A request with the same
                ``key`` may be repeated on a new connection, and a move without one too.
        """
        async with self._slots:
            await self._pace()
            number = next(self._ids)
            answer = self._answers[number] = asyncio.get_running_loop().create_future()
            try:
                if not self.is_open:
                    raise BotDisconnected("the connection is closed")
                await self._socket.send(_encode({"t": kind, "id": number, **fields}))
                async with asyncio.timeout(self._timeout_s):
                    message: Message = await answer
            except ConnectionClosed as error:
                raise BotDisconnected("the connection was closed") from error
            except TimeoutError as error:
                self._socket.transport.abort()  # whoever waits for other answers and messages hears of it too
                raise BotDisconnected("the server does not answer") from error
            finally:
                self._answers.pop(number, None)
        if message["t"] == "error":
            raise BotRefused(message["code"], message["message"])
        return message

    async def get(self, path: str, **parameters: str) -> Any:
        """Return the answer of the HTTP API to a GET request, ``get("/api/v1/games", user="Anna")``, as Python objects.

        Raises:
            BotRefused: the server has refused it.
            BotDisconnected: there was no answer, or none of this API.
        """
        headers = {} if self._token is None else {"Authorization": f"Bearer {self._token}"}
        request = urllib.request.Request(f"{self._url}{path}?{urlencode(parameters)}", headers=headers)  # noqa: S310
        try:
            return msgspec.json.decode(await asyncio.to_thread(_read_answer, request, use_proxy=self._is_far))
        except (OSError, HTTPException, msgspec.MsgspecError) as error:
            raise BotDisconnected(f"no answer of {self._url}{path}: {error}") from error

    async def _read_welcome(self) -> Message:
        try:
            return _decode(await self._socket.recv(decode=False))
        except BaseException:
            self._socket.transport.abort()
            raise

    @property
    def _is_far(self) -> bool:
        """Whether the environment's proxies are used: a server without TLS is on this machine or in its network."""
        return self._url.startswith("https:")

    async def close(self) -> None:
        """Close the connection. Iteration ends after the messages that have arrived."""
        if self._reader is not None:
            with suppress(OSError):
                await self._socket.close()
            await self._reader

    async def _pace(self) -> None:
        limits = self.welcome["limits"]
        gap_s = 1 / (PART * limits["rate"])
        now_s = asyncio.get_running_loop().time()
        # A burst may be ahead of the sustained rate by half of what the server allows.
        ahead_s = gap_s * limits["burst"] / 2
        self._next_s = max(self._next_s, now_s - ahead_s) + gap_s
        if self._next_s > now_s:
            await asyncio.sleep(self._next_s - now_s)

    async def _read(self) -> None:
        try:
            async for payload in self._socket:
                message = _decode(payload if isinstance(payload, bytes) else payload.encode())
                answer = self._answers.get(message.get("id", 0)) if message["t"] in ("ok", "error") else None
                if answer is None:
                    self._unread.put_nowait(message)
                elif not answer.done():
                    answer.set_result(message)
        except (ConnectionClosed, OSError, asyncio.QueueFull, msgspec.DecodeError):
            with suppress(OSError):
                await self._socket.close()
        finally:
            lost = BotDisconnected("the connection was closed")
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(lost)
            if self._unread.full():
                self._unread.get_nowait()
            self._unread.put_nowait(None)


def _read_answer(request: urllib.request.Request, *, use_proxy: bool) -> bytes:
    proxies = urllib.request.ProxyHandler(None if use_proxy else {})
    try:
        with urllib.request.build_opener(proxies).open(request, timeout=GET_S) as answer:
            body: bytes = answer.read()
            return body
    except urllib.error.HTTPError as error:
        with error:
            refusal = msgspec.json.decode(error.read(), type=_Failed).error
        raise BotRefused(refusal.code, refusal.message) from error
