"""One game of a robot: follows its events, and answers them with moves, offers and a greeting.

Its state is that of the server's last snapshot and the events since. Whatever goes wrong, a new snapshot is asked for,
and the move is found again: the same one, since a job has no state.
"""

from __future__ import annotations

import asyncio
import logging
from random import Random
from typing import TYPE_CHECKING, Any

from robots.client import BotDisconnected, BotRefused
from robots.jobs import BadJob, EngineFailed, NoEngine, RobotError
from robots.playing import behaviour
from robots.playing.flag_watch import FlagWatch
from robots.playing.game_requests import LATER, GameRequests, retry_pauses
from robots.playing.hints import find_hint
from robots.playing.played_game import PlayedGame
from robots.playing.simul_board import send_move
from robots.playing.turn_by_laws import TurnByLaws

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from robots.client import Message
    from robots.jobs import JobAnswer
    from robots.playing.move_source import MoveSource

ANSWER_S = 0.7
"""Pause before the answer to an offer."""

LATEST_S = 30.0
"""Deadline of a job when the clock leaves more, as admission has it."""

MAX_FAILURES = 5
"""Failures in a row of a position that no engine can play, after which the robot leaves the game."""

MAX_ENGINE_FAILURES = 20
"""The same where engines fail or are missing, which takes about ten minutes: engines are few, and other games wait for
them; one that did not start is tried again each minute."""

log = logging.getLogger(__name__)


class RobotPlayer:
    """A robot in one game.

    Args:
        game_id: the game.
        level: 1 to 8.
        source: finds its moves.
        send: sends a request on the game's socket; raises ``BotRefused`` or ``BotDisconnected``.
        tempo: factor of all pauses.
        greets: the game has just begun.

    Attributes:
        is_over: the game has ended.
    """

    def __init__(
        self,
        game_id: str,
        level: int,
        source: MoveSource,
        send: Callable[..., Awaitable[Message]],
        *,
        tempo: float = 1.0,
        greets: bool = False,
    ) -> None:
        self.game_id = game_id
        self.is_over = False
        self._level = level
        self._source = source
        self._send = send
        self._requests = GameRequests(game_id, send)
        self._tempo = tempo
        self._greets = greets
        self._game: PlayedGame | None = None
        """None: before the first snapshot."""
        self._scores: dict[int, int] = {}
        """Scores of the robot's moves by ply, in order."""
        self._last_offer = 0
        self._prepared: tuple[int, str | None] | None = None  # ply and hold of a move that waits for a simul's host
        self._failures = 0
        self._engine_failures = 0
        self._thinking: asyncio.Task[None] | None = None
        self._hinting: asyncio.Task[None] | None = None
        self._flag = FlagWatch(self._requests)
        self._turn_by_laws = TurnByLaws(self._requests)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_idle(self) -> bool:
        """Whether the opponent has left a game that does not end by itself."""
        return not self.is_over and self._game is not None and self._game.is_idle

    async def subscribe(self) -> None:
        """Ask for the snapshot, and all events after it, until the server has time. Raises as ``send``."""
        await self._requests.subscribe()

    async def close(self) -> None:
        """Stop playing. The game goes on without the robot."""
        self._flag.stop()
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._source.leave(self.game_id)

    # -- messages -----------------------------------------------------------------------------------------

    def handle(self, message: Message) -> None:
        """Handle a message about this game."""
        game, kind = self._game, message["t"]
        if kind == "game":
            game = self._take_snapshot(message)
        elif game is not None and kind == "crowd":
            game.opponent_is_here = message["online"][game.opponent]
            self._count(game)
        elif game is not None and kind == "hint.asked":
            self._take_hint(game, message["ply"])
        elif game is not None and "seq" in message:
            if message["seq"] <= game.seq:
                return
            if message["seq"] > game.seq + 1:
                self._begin(self._requests.resync())
                return
            game.seq = message["seq"]
            self._take_event(game, kind, message)
        if game is not None:
            self._go_on(game)
            self._flag.follow(None if self.is_over else game.flag_falls_s)

    def _take_snapshot(self, message: Message) -> PlayedGame | None:
        if message["you"] is None:
            log.warning("game %s is not this robot's", self.game_id)
            self.is_over = True
            return None
        before, game = self._game, PlayedGame(message, asyncio.get_running_loop().time())
        self._game, self._prepared = game, None
        if before is None or (before.moves, before.held) != (game.moves, game.held):
            self._stop_thinking()
        if before is None or before.moves != game.moves:
            self._stop_hinting()
        if message["status"] == "over":
            self._end()
            if message["offers"]["rematch"] == game.opponent:
                self._begin(self._answer_rematch(game))
            return game
        self._count(game)
        if game.has_takeback_offer:
            self._begin(self._answer_takeback(game))
        if game.has_draw_offer:
            self._begin(self._answer_draw(game))
        if self._greets and game.is_new:
            self._begin(self._requests.greet(self._level))
        self._greets = False
        return game

    def _take_event(self, game: PlayedGame, kind: str, event: Message) -> None:
        if "clock" in event:
            held = game.held
            game.take_clock(event["clock"], asyncio.get_running_loop().time())
            if game.held != held:
                self._stop_thinking()  # what was refused may be possible now
                self._count(game)
        if kind == "move":
            self._stop_hinting()
            game.take_move(event)
        elif kind == "takeback":
            self._stop_thinking()
            self._stop_hinting()
            game.take_back(event)
        elif kind == "made":
            game.take_made(event)
        elif kind == "ruling":
            game.is_made = False
        elif kind == "offer" and event["by"] != game.you:
            self._take_offer(game, event)
        elif kind == "end":
            self._end()

    def _take_offer(self, game: PlayedGame, event: Message) -> None:
        what, is_offer = event["what"], event["do"] == "offer"
        if what == "draw":
            game.draw_by = event["by"] if is_offer else None
            if game.has_draw_offer:
                self._begin(self._answer_draw(game))
        elif what == "takeback":
            game.takeback_by = event["by"] if is_offer else None
            if game.has_takeback_offer:
                self._begin(self._answer_takeback(game))
        elif what == "rematch" and is_offer:
            self._begin(self._answer_rematch(game))

    def _take_hint(self, game: PlayedGame, ply: int) -> None:
        """Begin to look for a hint for the opponent, unless the position is another one by now."""
        self._stop_hinting()
        if ply == game.ply and not game.is_my_turn and not self.is_over:
            self._hinting = self._begin(self._give_hint(game))

    def _stop_hinting(self) -> None:
        """Look for no hint any more: an engine may be needed for moves."""
        if self._hinting is not None:
            self._hinting.cancel()
            self._hinting = None

    def _count(self, game: PlayedGame) -> None:
        """Count the game, unless the opponent is away and may stay so for days."""
        if self.is_over or game.is_unattended:
            self._source.leave(self.game_id)
        else:
            self._source.enter(self.game_id, game.workload(self._level))

    # -- thinking -----------------------------------------------------------------------------------------

    def _go_on(self, game: PlayedGame) -> None:
        """Begin to think if it is the robot's turn; stop if not."""
        if self.is_over or game.is_paused or not game.is_my_turn or game.has_takeback_offer:
            self._stop_thinking()
        elif self._prepared != (game.ply, game.held) and (self._thinking is None or self._thinking.done()):
            self._thinking = self._begin(self._think())

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    async def _think(self) -> None:
        """Find a move for the present position, and play it. Cancelled when the position changes."""
        for pause_s in retry_pauses():
            game = self._game
            if game is None:
                return
            try:
                await self._move(game)
            except BotRefused as error:
                if error.code not in LATER:
                    log.info("game %s, ply %d: %s", self.game_id, game.ply, error)
                    await asyncio.sleep(pause_s)
                    await self._requests.resync()
            except (EngineFailed, NoEngine) as error:
                self._engine_failures += 1
                log.warning("game %s, ply %d: %s", self.game_id, game.ply, error)
                if self._engine_failures >= MAX_ENGINE_FAILURES:
                    await self._requests.abandon()
                    return
            except BadJob as error:
                self._failures += 1
                log.warning("game %s, ply %d cannot be played: %s", self.game_id, game.ply, error)
                if self._failures >= MAX_FAILURES:
                    await self._requests.abandon()
                    return
                await self._requests.resync()
            else:
                return
            await asyncio.sleep(pause_s)

    async def _move(self, game: PlayedGame) -> None:
        if await self._turn_by_laws.begin(game):
            return
        loop, ply = asyncio.get_running_loop(), game.ply
        chance = Random(f"{self.game_id}:{ply}:time")  # noqa: S311  no secret
        began_s = loop.time()
        time = behaviour.thinking_time(game.control, game.left_s(began_s), ply, chance)
        deadline_s = began_s + (LATEST_S if game.is_slow else min(time.longest_s, LATEST_S))
        answer = await self._source.answer(game.job(self._level, deadline_s))
        self._failures = self._engine_failures = 0
        try:
            if await self._ends_game(game, answer):
                return
        except BotRefused as error:
            if error.code in LATER:
                raise
            log.info("game %s, ply %d: %s; moves on", self.game_id, ply, error)
        is_obvious = answer.choices == 1 or (
            ply > 0 and behaviour.is_recapture(game.moves[-1], game.last_notation, answer.move)
        )
        wanted_s = self._tempo * time.of(answer.difficulty, is_obvious=is_obvious, chance=chance)
        await asyncio.sleep(max(0.0, began_s + wanted_s - loop.time()))
        fields: dict[str, Any] = {"g": self.game_id, "move": answer.move, "ply": ply, "seen": game.seq}
        if game.laws is not None:
            await self._turn_by_laws.play(game, answer.move)
            return
        if behaviour.offers_draw([*self._scores.values()], ply, ply // 2 - self._last_offer):
            self._last_offer, fields["draw"] = ply // 2, True
        if await send_move(self._send, fields, game.simul, game.held):
            self._prepared = ply, game.held

    async def _ends_game(self, game: PlayedGame, answer: JobAnswer) -> bool:
        """Accept or claim a draw, or resign, if the position is one for it."""
        # Without those of moves taken back.
        self._scores = {ply: score for ply, score in self._scores.items() if ply < game.ply}
        if not answer.is_reduced:
            self._scores[game.ply] = answer.score
        request: tuple[str, dict[str, Any]] | None = None
        if game.draw_by == game.opponent and behaviour.accepts_draw(answer.score, game.ply):
            request = "draw", {"do": "accept"}
        elif game.may_claim_draw and behaviour.claims_draw(answer.score):
            request = "draw", {"do": "claim"}
        elif behaviour.resigns(*game.kind, self._level, [*self._scores.values()]):
            request = "resign", {}
        if request is None:
            return False
        await asyncio.sleep(ANSWER_S * self._tempo)
        kind, fields = request
        await self._requests.send(kind, **fields)
        return True

    # -- answers ------------------------------------------------------------------------------------------

    async def end_idle(self) -> None:
        """End a game that the opponent has left: as a draw, or without a result if not both have moved."""
        if self._game is not None and self._game.ply < 2 and self._game.laws is None:
            await self._requests.attempt("abort")
        else:
            await self._requests.attempt("claim", what="draw")

    async def _answer(self, what: str, do: str) -> bool:
        await asyncio.sleep(ANSWER_S * self._tempo)
        return await self._requests.attempt(what, do=do)

    async def _answer_takeback(self, game: PlayedGame) -> None:
        if not await self._answer("takeback", "accept") and game is self._game:
            game.takeback_by = None
            self._go_on(game)

    async def _answer_draw(self, game: PlayedGame) -> None:
        score = await self._last_score(game)
        await asyncio.sleep(ANSWER_S * self._tempo)
        if game is self._game and game.has_draw_offer:
            await self._requests.attempt("draw", do="accept" if behaviour.accepts_draw(score, game.ply) else "decline")

    async def _last_score(self, game: PlayedGame) -> int | None:
        """Return the score of the robot's last move. None: it has not moved, or no engine answers."""
        last = game.ply - 1  # the opponent is to move
        if last in self._scores or last < behaviour.DRAW_FROM_PLY:
            return self._scores.get(last)
        # Another process made that move. The same job has the same answer.
        deadline_s = asyncio.get_running_loop().time() + LATEST_S
        try:
            return (await self._source.answer(game.job(self._level, deadline_s, last))).score
        except RobotError as error:
            log.info("game %s: a draw offer cannot be judged: %s", self.game_id, error)
            return None

    async def _give_hint(self, game: PlayedGame) -> None:
        hint = await find_hint(self._source, game)
        if hint is not None:
            await self._requests.attempt("hint.give", **hint)

    async def _answer_rematch(self, game: PlayedGame) -> None:
        accepts = self._source.can_accept(game.workload(self._level))
        await self._answer("rematch", "accept" if accepts else "decline")

    async def _sign(self) -> None:
        """Sign the result of a game by the Laws (Article 8.7)."""
        await self._requests.attempt("sign")

    def _end(self) -> None:
        self.is_over = True
        if self._game is not None and self._game.signs:
            self._begin(self._sign())
        self._stop_thinking()
        self._stop_hinting()
        self._source.leave(self.game_id)

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._guard(work), name=f"robot in {self.game_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # if it was cancelled before it began
        return task

    async def _guard(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except BotDisconnected:
            return  # a new socket brings a new snapshot
        except Exception:  # the top of a task
            log.exception("a robot's task in game %s failed", self.game_id)
