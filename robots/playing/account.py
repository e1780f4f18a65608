"""The sockets of one robot, and its games on them.

The first socket hears of new games. More are opened as games are added, so that each keeps within the server's message
rate, and closed when they have none left. When a socket is lost it is opened again, and its games are resumed from new
snapshots.
"""

from __future__ import annotations

import asyncio
import logging
from random import Random
from typing import TYPE_CHECKING, Any

from robots.client import BotClient, BotDisconnected, BotRefused
from robots.playing.player import RobotPlayer

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from robots.client import Message
    from robots.playing.move_source import MoveSource

GAMES_PER_SOCKET = 40
"""At two seconds a move, and three messages each."""

MAX_SOCKETS = 8
"""Fewer than half of what an account may have: two processes may play for a moment when one replaces the other."""

RECONNECT_S = (0.2, 1.0)
"""Range of the first pause before a lost socket is opened again; it grows eightfold."""

SWEEP_S = 30.0

REMATCH_S = 300.0
"""How long a robot stays at a game that is over, for a rematch."""

MANY_GAMES = 500
"""Games in progress above which those are ended that do not end by themselves and whose opponents have left ..."""

ENDED_AT_ONCE = 10
"""... this many at each sweep, by chance: some may be refused."""

log = logging.getLogger(__name__)


class RobotSocket:
    """One socket of a robot, opened again whenever it is lost."""

    def __init__(self, account: RobotAccount, *, is_first: bool) -> None:
        self.games: dict[str, RobotPlayer] = {}
        self._account = account
        self._is_first = is_first
        self._client: BotClient | None = None
        self._task = asyncio.create_task(self._run(), name=f"socket of the robot of level {account.level}")

    @property
    def has_room(self) -> bool:
        """Whether it may have one more game. Those that are over send nothing."""
        return sum(not player.is_over for player in self.games.values()) < GAMES_PER_SOCKET

    @property
    def is_open(self) -> bool:
        """Whether it is connected."""
        return self._client is not None and self._client.is_open

    async def send(self, kind: str, **fields: Any) -> Message:
        """Send a request. Raises ``BotRefused`` or ``BotDisconnected``."""
        if self._client is None:
            raise BotDisconnected("not connected")
        return await self._client.request(kind, **fields)

    async def close(self) -> None:
        """Close it, and leave its games as they are."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await asyncio.gather(*(player.close() for player in self.games.values()))

    async def _run(self) -> None:
        chance, failures = Random(), 0  # noqa: S311  no secret
        while True:
            try:
                async with BotClient(self._account.url, self._account.token) as client:
                    if self._is_first:
                        self._account.resume(client)
                    self._client, failures = client, 0
                    await self._serve(client)
                log.debug("a socket of the robot of level %d was closed", self._account.level)
            except (BotDisconnected, BotRefused) as error:
                log.log(logging.WARNING if failures == 3 else logging.DEBUG, "robot %d: %s", self._account.level, error)
            except Exception:  # the top of a task
                log.exception("a socket of the robot of level %d failed", self._account.level)
            self._client = None
            await asyncio.sleep(chance.uniform(*RECONNECT_S) * 2 ** min(failures, 3))
            failures += 1

    async def _serve(self, client: BotClient) -> None:
        # What arrives is handled while the requests below wait for their answers.
        reading = asyncio.create_task(self._read(client), name="messages of a robot")
        try:
            await client.request("sub" if self._is_first else "unsub", topic="user")
            await asyncio.gather(*(self._resume(player) for player in tuple(self.games.values())))
            await reading
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def _resume(self, player: RobotPlayer) -> None:
        try:
            await player.subscribe()
        except BotRefused as error:
            log.warning("game %s cannot be resumed: %s", player.game_id, error)
            self._account.drop(player.game_id)

    async def _read(self, client: BotClient) -> None:
        async for message in client:
            game_id = message.get("g")
            if game_id is None and message["t"] == "crowd":
                game_id = message["topic"].removeprefix("game:")
            player = self.games.get(game_id) if isinstance(game_id, str) else None
            try:
                if message["t"] == "paired":
                    self._account.enter(message["g"], is_new=True)
                elif player is not None:
                    player.handle(message)
            except Exception:  # one game must not end the others
                log.exception("a message of type %s could not be handled", message["t"])


class RobotAccount:
    """A robot: all its games.

    Args:
        url, token: of the server and of the robot's account.
        level: 1 to 8.
        source: finds its moves.
        tempo: factor of all pauses.
    """

    def __init__(self, url: str, token: str, level: int, source: MoveSource, *, tempo: float = 1.0) -> None:
        self.url = url
        self.token = token
        self.level = level
        self._source = source
        self._tempo = tempo
        self._sockets: list[RobotSocket] = []
        self._of: dict[str, RobotSocket] = {}
        """The socket of each game."""
        self._over_s: dict[str, float] = {}
        """When a game was first seen to be over, by the loop's clock."""
        self._has_looked_back = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._sockets.append(RobotSocket(self, is_first=True))
        self._begin(self._sweep())

    @property
    def games(self) -> int:
        """The number of games in progress."""
        return len(self._of) - len(self._over_s)

    async def close(self) -> None:
        """Leave all games as they are, and close the sockets."""
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(socket.close() for socket in self._sockets))

    def resume(self, client: BotClient) -> None:
        """Play the games in progress that the server names in its welcome. Those that it does not name may be newer.

        The first time, also look for games that ended before: their opponents may have offered a rematch since.
        """
        for game_id in client.welcome["games"]:
            self.enter(game_id)
        if not self._has_looked_back:
            self._begin(self._look_back(client))

    def enter(self, game_id: str, *, is_new: bool = False) -> None:
        """Play a game, if it is not known yet."""
        if game_id in self._of:
            return
        socket = self._socket_with_room()
        player = RobotPlayer(game_id, self.level, self._source, socket.send, tempo=self._tempo, greets=is_new)
        self._of[game_id] = socket
        socket.games[game_id] = player
        if socket.is_open:
            self._begin(self._subscribe(player))

    def drop(self, game_id: str) -> None:
        """Forget a game."""
        socket = self._of.pop(game_id, None)
        self._over_s.pop(game_id, None)
        player = None if socket is None else socket.games.pop(game_id, None)
        if player is not None and socket is not None:
            self._begin(player.close())
            if socket.is_open:
                self._begin(self._unsubscribe(socket, game_id))

    def _socket_with_room(self) -> RobotSocket:
        # The first ones are filled, so that the others can be closed when there are fewer games.
        socket = next((one for one in self._sockets if one.has_room), None)
        if socket is None and len(self._sockets) < MAX_SOCKETS:
            socket = RobotSocket(self, is_first=False)
            self._sockets.append(socket)
        return socket or min(self._sockets, key=lambda one: len(one.games))

    async def _subscribe(self, player: RobotPlayer) -> None:
        try:
            await player.subscribe()
        except BotRefused as error:
            log.warning("game %s cannot be played: %s", player.game_id, error)
            self.drop(player.game_id)

    async def _unsubscribe(self, socket: RobotSocket, game_id: str) -> None:
        try:
            await socket.send("unsub", topic=f"game:{game_id}")
        except BotRefused as error:
            log.debug("game %s: %s", game_id, error)

    async def _sweep(self) -> None:
        """Forget games that have long been over, close sockets without games, and end forgotten games when there are
        too many."""
        while True:
            await asyncio.sleep(SWEEP_S)
            now_s = asyncio.get_running_loop().time()
            for game_id, socket in tuple(self._of.items()):
                if socket.games[game_id].is_over and now_s - self._over_s.setdefault(game_id, now_s) > REMATCH_S:
                    self.drop(game_id)
            for socket in [one for one in self._sockets[1:] if not one.games]:
                self._sockets.remove(socket)
                self._begin(socket.close())
            if self.games > MANY_GAMES:
                idle = [player for socket in self._sockets for player in socket.games.values() if player.is_idle]
                for player in Random().sample(idle, min(len(idle), ENDED_AT_ONCE)):  # noqa: S311  no secret
                    await player.end_idle()
            self._begin(self._look_for_games())

    async def _look_for_games(self) -> None:
        """Find games that began while no socket was open, if their node was not known to the one that greeted it."""
        async with BotClient(self.url, self.token) as client:
            self.resume(client)

    async def _look_back(self, client: BotClient) -> None:
        """Enter the games that have ended a short time ago, as if this process had been there."""
        name, now = client.welcome["user"]["name"], client.welcome["now"]
        try:
            listed = await client.get("/api/v1/games", user=name, limit="100")
        except BotRefused as error:
            log.info("no rematches of earlier games: %s", error)
            return
        self._has_looked_back = True
        for game in listed["games"]:
            if game["status"] == "over" and now - game["ended"] < 1000 * REMATCH_S:
                self.enter(game["g"])

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guard(work), name=f"robot of level {self.level}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # if it was cancelled before it began

    async def _guard(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except BotDisconnected:
            return  # a new socket resumes the games
        except Exception:  # the top of a task
            log.exception("a task of the robot of level %d failed", self.level)
