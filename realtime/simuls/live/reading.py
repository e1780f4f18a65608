"""Simul data for HTTP, in pieces: produced by the node that leads the simul, and pulled from there by other nodes.

The reader's node asks for a piece after it has passed on the one before, so a slow reader delays nobody else.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from contextlib import aclosing
from typing import TYPE_CHECKING, Literal

import msgspec

from game_core.errors import Refusal
from lobby.errors import Conflict, Unavailable
from realtime.games.delay.delayed_reads import as_public
from realtime.games.scores.score_text import Form, form_of
from realtime.protocol.codec import encode_json
from realtime.simuls.replica.led_remotely import LedRemotely
from realtime.simuls.store.scores import board_rows, board_score
from simul.lists import table_csv, table_wire

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from lobby.ports import Pool
    from realtime.cluster.bus.cluster import Cluster
    from realtime.simuls.live.ports import SimulsHere
    from realtime.simuls.live.simul_actor import SimulActor

PULL, STOP = "simul.pull", "simul.stop"

PAGE = 50
"""Rows per query; the moves of games are read one after the other."""

HEARTBEAT_S = 15.0
"""Time without a game after which an empty line is sent: proxies close connections silent for 30 to 60 seconds."""

PULL_S = HEARTBEAT_S + 5.0
"""Timeout for one piece."""

PIECE_BYTES = 256 * 1024
"""Maximum size of a piece; the snapshot of a thousand boards has 400 KB."""

IDLE_S = 120.0
"""A read is dropped after this time without a pull: the node is gone, or its reader has stopped."""

OPEN = 1000
"""Maximum number of reads by other nodes: ten times what one node allows."""

log = logging.getLogger(__name__)


class ReadRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request for data of a simul."""

    simul: str
    what: Literal["shown", "table.json", "table.csv", "games"]
    """The snapshot, the table of results, or all games followed by each that changes."""
    user: str | None
    """The user; None: an anonymous visitor."""
    form: Form = "pgn"
    """Score format of the games."""
    address: str = ""
    """Base address of the game pages."""


class Pull(msgspec.Struct, frozen=True):
    """Request for the next piece of the read with this number; the first one says what is wanted."""

    number: int
    wanted: ReadRequest | None = None


class Piece(msgspec.Struct, frozen=True):
    """A piece; ``is_last``: none follows."""

    data: bytes
    is_last: bool = False


class ReadStop(msgspec.Struct, frozen=True):
    """End of a read."""

    number: int


class _Opened:
    def __init__(self, pieces: AsyncGenerator[bytes, None]) -> None:
        self.pieces = pieces
        self.rest = b""
        self.is_busy = False
        self.idle: asyncio.TimerHandle | None = None


class Reading:
    """Reads on this node and for others."""

    def __init__(self, simuls: SimulsHere, pool: Pool, cluster: Cluster | None) -> None:
        self._simuls = simuls
        self._pool = pool
        self._cluster = cluster
        self._numbers = itertools.count(1)
        self._opened: dict[tuple[str, int], _Opened] = {}
        self._closing: set[asyncio.Task[None]] = set()
        if cluster is not None:
            cluster.serve(PULL, Pull, self._serve)
            cluster.subscribe(STOP, ReadStop, self._stop)
            cluster.on_gone.append(self._gone)

    async def whole(self, wanted: ReadRequest) -> bytes:
        """Return the whole. Raises ``Refusal``."""
        async with aclosing(self.pieces(wanted)) as pieces:
            return b"".join([piece async for piece in pieces])

    async def pieces(self, wanted: ReadRequest) -> AsyncGenerator[bytes, None]:
        """Return the pieces. Raises ``Refusal`` before the first; if the leader is lost later, the pieces end."""
        if wanted.what == "shown" and self._simuls.replicas is not None:
            shown = self._simuls.replicas.snapshot(wanted.simul, wanted.user)
            if shown is not None:
                yield shown
                return
        try:
            source = self._made(await self._simuls.get(wanted.simul), wanted)
        except LedRemotely as away:
            if self._cluster is None:
                raise
            source = self._pulled(self._cluster, away.node, wanted)
        async with aclosing(source):
            async for piece in source:
                yield piece

    async def close(self) -> None:
        """Stop all reads."""
        for key in tuple(self._opened):
            self._close(key)
        await asyncio.gather(*self._closing, return_exceptions=True)

    # -- leader -------------------------------------------------------------------------------------------

    async def _made(self, actor: SimulActor, wanted: ReadRequest) -> AsyncGenerator[bytes, None]:
        user = wanted.user
        if wanted.what == "shown":
            yield actor.audience.snapshot("json", user)
        elif wanted.what == "games":
            async with aclosing(self._followed(actor, wanted)) as games:
                async for piece in games:
                    yield piece
        elif actor.audience.is_delayed_for(user):
            raise Conflict("results become public after the end of the simul and its delay")
        elif wanted.what == "table.csv":
            yield table_csv(actor.state).encode()
        else:
            yield encode_json(table_wire(actor.state))

    async def _followed(self, actor: SimulActor, wanted: ReadRequest) -> AsyncGenerator[bytes, None]:
        is_inside = _is_inside(actor, wanted.user)
        follower, leave = self._simuls.broadcasts.follow(actor, wanted.form, wanted.address, delayed=not is_inside)
        try:
            yield b"\n"  # tells followers that the stream is open, before there are games
            async for text in all_games(self._pool, actor.id, actor.state.setup.name, wanted):
                yield text
            while (news := await follower.next(HEARTBEAT_S)) is not None:
                if is_inside and not _is_inside(actor, wanted.user):
                    return  # the user is no longer a player and may reconnect as a spectator
                yield news or b"\n"
        finally:
            leave()

    async def _serve(self, sender: str, pull: Pull) -> Piece:
        key = (sender, pull.number)
        if pull.wanted is not None and key not in self._opened:
            if len(self._opened) >= OPEN:
                raise Unavailable("too many streams are open; try again later")
            actor = await self._simuls.get(pull.wanted.simul)
            self._opened[key] = _Opened(self._made(actor, pull.wanted))
        opened = self._opened.get(key)
        if opened is None or opened.is_busy:
            raise Unavailable("this stream has been closed")
        if opened.idle is not None:
            opened.idle.cancel()
        opened.is_busy = True
        try:
            data = opened.rest or await anext(opened.pieces, b"")
        except BaseException:
            self._close(key)
            raise
        finally:
            opened.is_busy = False
        if not data or self._opened.get(key) is not opened:
            self._opened.pop(key, None)
            await opened.pieces.aclose()
            return Piece(b"", is_last=True)
        opened.rest = data[PIECE_BYTES:]
        opened.idle = asyncio.get_running_loop().call_later(IDLE_S, self._close, key)
        return Piece(data[:PIECE_BYTES])

    def _stop(self, sender: str, stop: ReadStop) -> None:
        self._close((sender, stop.number))

    def _gone(self, node: str) -> None:
        for key in [key for key in self._opened if key[0] == node]:
            self._close(key)

    def _close(self, key: tuple[str, int]) -> None:
        opened = self._opened.pop(key, None)
        if opened is None:
            return
        if opened.idle is not None:
            opened.idle.cancel()
        if not opened.is_busy:  # otherwise the waiting task closes it
            task = asyncio.create_task(opened.pieces.aclose(), name="end what was read")
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    # -- other nodes --------------------------------------------------------------------------------------

    async def _pulled(self, cluster: Cluster, node: str, wanted: ReadRequest) -> AsyncGenerator[bytes, None]:
        number = next(self._numbers)
        is_open = True
        try:
            piece = await cluster.request(node, PULL, Pull(number, wanted), Piece, PULL_S)
            while not piece.is_last:
                yield piece.data
                try:
                    piece = await cluster.request(node, PULL, Pull(number), Piece, PULL_S)
                except Refusal as error:
                    log.info("reading of simul %s stopped: %s", wanted.simul, error)
                    if wanted.what != "games":
                        raise  # a partial result is useless
                    return
            is_open = False
        finally:
            if is_open:
                cluster.send(node, STOP, ReadStop(number))


async def all_games(pool: Pool, simul_id: str, name: str, wanted: ReadRequest) -> AsyncGenerator[bytes, None]:
    """Return one game per piece, in the order of the boards. No database connection is held while the client reads."""
    after = 0
    while rows := await board_rows(pool, simul_id, after, PAGE):
        for game in await as_public(pool, rows, wanted.user):
            if form_of(game.row.setup.game) == wanted.form:
                yield await board_score(pool, game.row, name, wanted.address, game.last_seq)
        place = rows[-1].setup.simul_board
        assert place is not None, "boards were asked for"
        after = place.board


def _is_inside(actor: SimulActor, user: str | None) -> bool:
    """Return whether ``user`` sees everything without delay."""
    return user is not None and actor.state.role_of(user) in ("host", "player")
