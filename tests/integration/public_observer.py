"""Everything that the public can see of one game, at all places at once, compared with what it may know.

Course   the requests of the players, and so how much the public may know now
Eye      subscribed sockets, and addresses that are polled; whatever reveals more is a fault
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import threading
import time
import urllib.request
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

import chess

from tests.wire_client import WAIT_S, Client, Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Look = Callable[[], int]

END = 10_000
"""Value for the end of the game: more than any number of half-moves."""

RESULTS = ("1-0", "0-1", "1/2-1/2")

MOST_LINE = 1 << 20
"""Longest line of a stream in bytes: any snapshot."""

TICK_S = 0.002
"""Tolerance for the rounding of the server's time to whole milliseconds."""


class Course:
    """The requests of a game, and their times.

    Attributes:
        sent: when each move was sent.
        ends_at: the earliest instant at which the game may have ended; None until a request could end it.
    """

    def __init__(self, delay_s: float = 0, delay_moves: int = 0) -> None:
        self.delay_s = delay_s
        self.delay_moves = delay_moves
        self.sent: list[float] = []
        self.ends_at: float | None = None

    def allowed(self) -> int:
        """Return how much the public may know now: a number of half-moves, or the end."""
        now = time.monotonic() + TICK_S
        if self.ends_at is not None and now >= self.ends_at + self.delay_s:
            return END
        if self.delay_moves:
            return max(0, len(self.sent) - 2 * self.delay_moves)
        return sum(at + self.delay_s <= now for at in self.sent)


class Reading:
    """Measures how much a text or a value reveals of a game.

    Args:
        moves: all moves that will be played from ``fen``; each leads to a different placement.
    """

    def __init__(self, game: str, fen: str | None, moves: Sequence[str]) -> None:
        self.game = game
        board = chess.Board(fen or chess.STARTING_FEN, chess960=fen is not None)
        self._placements = [board.board_fen()]
        for move in moves:
            board.push_uci(move)
            self._placements.append(board.board_fen())
        assert len(set(self._placements)) == len(self._placements), "the moves lead back to where they were"

    def of_text(self, text: str) -> int:
        """Return the last position of the game that is found in ``text``."""
        return max((ply for ply, placement in enumerate(self._placements) if placement in text), default=0)

    def of_json(self, value: Any) -> int:
        """Return the most that any part of ``value`` about the game reveals."""
        if isinstance(value, list):
            return max(map(self.of_json, value), default=0)
        if not isinstance(value, dict):
            return 0
        if value.get("g") != self.game:
            return max(map(self.of_json, value.values()), default=0)
        if value.get("status") == "over" or value.get("result") in RESULTS or value.get("t") == "end":
            return END
        plies = [self.of_text(json.dumps(value))]
        plies += [value[name] for name in ("plies", "ply") if isinstance(value.get(name), int)]
        if value.get("t") == "move":
            plies[-1] += 1  # it is the number of half-moves before it
        return max(*plies, len(value.get("moves", ())))

    def of_scores(self, scores: str) -> int:
        """Return what a file of scores, in which each move has its clock, reveals of a game."""
        score = next((part for part in scores.split("[Event ") if self.game in part), "")
        if any(f'[Result "{result}"]' in score for result in RESULTS):
            return END
        return len(re.findall(r"%clk", score))

    def of_page(self, page: str) -> int:
        """Return what one of our pages, with its data, reveals."""
        blocks = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
        return max([self.of_text(page), *(self.of_json(json.loads(block)) for block in blocks)])


class Spy(Client):
    """A socket whose messages are inspected as they come."""

    def __init__(self, url: str, codec: str, see: Callable[[Message], None]) -> None:
        super().__init__(url, None, codec)
        self.messages = Noted(see)


class Noted(list[Message]):
    """A list that reports each added message."""

    def __init__(self, see: Callable[[Message], None]) -> None:
        super().__init__()
        self._see = see

    def append(self, message: Message) -> None:
        """Inspect a message, then add it."""
        self._see(message)
        super().append(message)


class Eye:
    """Watches all places at once.

    Attributes:
        faults: what was revealed too early, and where.
        seen: the most that each place has revealed.
        lobby: the socket subscribed to the lobby, once it is.
    """

    lobby: Spy

    def __init__(self, url: str, course: Course, reading: Reading, people: Sequence[str]) -> None:
        """``people``: the names of White and Black."""
        self.url = url
        self.course = course
        self.faults: list[str] = []
        self.seen: dict[str, int] = {}
        self._reading = reading
        self._people = people
        self._stack = contextlib.AsyncExitStack()
        self._lock = threading.Lock()
        self._turn = asyncio.Lock()
        self._streams: list[asyncio.Task[None]] = []
        self.looks = dict(self._addresses())

    async def __aenter__(self) -> Self:
        game = f"game:{self._reading.game}"
        for name, codec, topic, fields in (
            ("socket", "msgpack", game, {}),
            ("socket that speaks JSON", "json", game, {}),
            ("mini board", "msgpack", game, {"position": True}),
            ("lobby", "msgpack", "lobby", {}),
            ("television", "json", "tv", {}),
        ):
            spy = Spy(self.url, codec, lambda message, name=name: self._see(name, message))  # type: ignore[misc]  # a default
            await self._stack.enter_async_context(spy)
            await spy.request("sub", topic=topic, **fields)
            if topic == "lobby":
                self.lobby = spy
        for name, path in (("stream", f"games/{self._reading.game}/stream"), ("television's stream", "tv/best/stream")):
            self._streams.append(asyncio.create_task(self._follow(name, f"/api/v1/{path}"), name=name))
        return self

    async def __aexit__(self, *_: object) -> None:
        for stream in self._streams:
            stream.cancel()
        await asyncio.gather(*self._streams, return_exceptions=True)
        await self._stack.aclose()

    async def look(self) -> None:
        """Request every address once. Addresses take turns, because two requests at a time exceed the limit of one."""
        async with self._turn:
            for name in self.looks:
                await asyncio.to_thread(self._ask, name)

    def has_seen_all(self, names: Iterable[str]) -> bool:
        """Return whether each of these places has shown the end."""
        return all(self.seen.get(name) == END for name in names)

    def _ask(self, name: str) -> None:
        self._note(name, self.looks[name]())

    async def _follow(self, name: str, path: str) -> None:
        """Read a stream of JSON lines until it ends."""
        address = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(address.hostname, address.port, limit=MOST_LINE)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n\r\n".encode())
            assert (await reader.readline()).split()[1] == b"200", path
            while line := await reader.readline():
                if line.startswith(b"{"):  # neither an empty line nor a chunk length
                    self._note(name, self._reading.of_json(json.loads(line)))
        finally:
            writer.close()

    def _see(self, name: str, message: Message) -> None:
        self._note(name, self._reading.of_json(message))
        waiting = message["card"]["user"]["name"] if message["t"] == "lobby.waiter" else None
        if waiting in self._people and self.course.allowed() < END:
            self.faults.append(f"{name}: a player waits for another game: {message}")
        if message["t"] == "crowd" and self.course.allowed() < END:
            if any(message["left"].values()):
                self.faults.append(f"{name}: who may be claimed against: {message}")
            if not all(message["online"].values()):
                self.faults.append(f"{name}: who has gone: {message}")

    def _note(self, name: str, told: int) -> None:
        """Compare with what is allowed. Called after the message: what was allowed then is allowed now."""
        allowed = self.course.allowed()
        with self._lock:
            self.seen[name] = max(told, self.seen.get(name, 0))
            if told > allowed:
                self.faults.append(f"{name}: {told} told, {allowed} allowed")

    def _addresses(self) -> Iterable[tuple[str, Look]]:
        reading, game = self._reading, self._reading.game
        white, black = self._people

        def api(path: str) -> Look:
            return lambda: reading.of_json(fetched(self.url, path))

        def scores(path: str) -> Look:
            return lambda: reading.of_scores(text(f"{self.url}/api/v1/{path}"))

        def profile(name: str) -> Look:
            def look() -> int:
                shown, status = (fetched(self.url, f"users/{name}{below}") for below in ("", "/status"))
                if self.course.delay_s and self.course.allowed() < END:
                    assert shown["playing"] is status["playing"] is None, "it would be gone from there too early"
                return END if shown["games"]["total"] or shown["ratings"] else 0

            return look

        def found() -> int:
            return scores(f"games/{game}/pgn")() if fetched(self.url, f"search?q={game}")["game"] == game else 0

        def never(path: str) -> Look:
            def look() -> int:
                assert game not in text(f"{self.url}/api/v1/{path}"), f"{path} has a game that is seen later"
                return 0

            return look

        yield "snapshot", api(f"games/{game}")
        yield "score", found
        yield "page", lambda: reading.of_page(text(f"{self.url}/game/{game}"))
        yield "frame", lambda: reading.of_page(text(f"{self.url}/embed/game/{game}"))
        yield "list", api("games?limit=50")
        yield "live list", never("games?live=1&limit=50")
        yield "live cards", never("live?limit=50")
        yield "channels", never("tv")
        # With a delay by moves it is public that the game is played.
        yield "who is online", never("online") if self.course.delay_s else lambda: 0
        yield "offer of a frame", lambda: reading.of_text(text(f"{self.url}/oembed?url={self.url}/game/{game}"))
        yield "versus", lambda: END if fetched(self.url, f"users/{white}/versus/{black}")["games"]["total"] else 0
        for name, other in ((white, black), (black, white)):
            yield f"games of {name}", api(f"games?user={name}")
            yield (
                f"results of {name}",
                lambda name=name, other=other: max(  # type: ignore[misc]  # defaults
                    reading.of_json(fetched(self.url, f"games?user={name}&opponent={other}&result={result}"))
                    for result in ("won", "drawn", "lost")
                ),
            )
            yield f"scores of {name}", scores(f"users/{name}/pgn")
            yield name, profile(name)
            for perf in ("blitz", "bullet"):
                yield (
                    f"course of {name} in {perf}",
                    lambda name=name, perf=perf: END if points(self.url, name, perf) else 0,  # type: ignore[misc]  # defaults
                )


def points(url: str, name: str, perf: str) -> list[Any]:
    """Return the history of a rating; empty for guests."""
    shown: list[Any] = fetched(url, f"users/{name}/ratings/{perf}")["points"]
    return shown


def text(url: str) -> str:
    """Return the answer to an anonymous request. Blocking."""
    with urllib.request.urlopen(url, timeout=WAIT_S) as response:
        body: str = response.read().decode()
    return body


def fetched(url: str, path: str) -> Any:
    """Return the answer of the API to an anonymous request. Blocking."""
    return json.loads(text(f"{url}/api/v1/{path}"))
