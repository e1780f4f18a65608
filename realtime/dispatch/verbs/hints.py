"""``hint`` and ``hint.give``: a move that a person may play against a robot, and who is better, as the robot sees it.

    person ──hint──► owner of the game ──hint.asked──► the robot's sockets
           ◄──ok───                   ◄──hint.give───

Nothing is stored, and only the socket that asked gets the answer. A game has one open question at a time; later
requests share its answer.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from game_core.color import other
from game_core.errors import Refusal
from lobby.errors import Conflict, Forbidden, NotFound, RateLimited, Unavailable
from lobby.robots.robot_accounts import is_robot
from realtime.games.table_view import send_hint_asked
from realtime.net.rate_limits import TokenBuckets
from realtime.protocol import requests as r

if TYPE_CHECKING:
    from game_core.color import Color
    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.games.forward import RequestForwarder
    from realtime.fanout.session import Session
    from realtime.games.table import Table
    from realtime.games.tables import Tables

ANSWER_S = 4.0
"""How long a person waits. Less than the time in which another node must answer a forwarded request."""

BURST, A_MINUTE = 10, 20
"""Rate of one person. Each hint costs an engine up to a second, behind the moves of all games."""

STALE = "the position has changed"


class OpenHint:
    """A question to a robot.

    Attributes:
        moves: on the board when it was asked.
        answer: the fields of the ``ok``, once the robot has answered.
        waiting: how many requests wait for it.
    """

    def __init__(self, moves: tuple[str, ...]) -> None:
        self.moves = moves
        self.answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self.waiting = 0


class HintVerbs:
    """Asks robots for hints at the nodes that own the games.

    Args:
        forwarder: forwards requests to those nodes; None: a lone node.

    Attributes:
        rate_limiter: hints by user.
    """

    def __init__(self, tables: Tables, time: ServerTime, forwarder: RequestForwarder | None = None) -> None:
        self._tables = tables
        self._time = time
        self._forwarder = forwarder
        self._open: dict[str, OpenHint] = {}
        """By game, while a request waits for the answer."""
        self.rate_limiter = TokenBuckets(BURST, A_MINUTE, per_ms=60_000)

    def handle(self, session: Session, request: r.Hint | r.HintGive, received_ms: int) -> None:
        """Handle ``hint`` or ``hint.give``: after loading the table or forwarding."""
        session.later(request.id, self._load_and_do(session, request, received_ms))

    async def _load_and_do(self, session: Session, request: Any, received_ms: int) -> None:
        table = await self._tables.get(request.g)
        if table is None:
            raise NotFound(f"there is no game {request.g!r}")
        by = table.seats.color_of(session.person.id)
        if by is None:
            raise Forbidden("this is not your game")
        if isinstance(request, r.HintGive) and not is_robot(session.person.id):
            raise Forbidden("only the robots of this server can do this")
        if table.epoch is None:
            if self._forwarder is not None:
                request = await self._forwarder.forward(session, request, table, received_ms)
                if request is None:
                    return
            table = await self._tables.own(request.g)
        if isinstance(request, r.HintGive):
            self._give(request, table, by)
            session.ok(request.id, {})
        else:
            self._check(session, table, by)
            session.ok(request.id, await self._ask(session.person.id, table, by))

    def _check(self, session: Session, table: Table, by: Color) -> None:
        game = table.game
        if session.person.kind == "bot":
            raise Forbidden("bots get no hints")
        if not game.setup.hints or not is_robot(table.seats[other(by)].user.id):
            raise Forbidden("this game is played without hints")
        if game.status == "over":
            raise Refusal("game_over", "the game is over")
        if game.turn != by:
            raise Refusal("not_your_turn", "hints are for your own move")
        if self._tables.live_games.plays_person(session.person.id):
            raise Conflict("no hints while you play another person; finish that game first")
        if not table.seats[other(by)].is_here:
            raise Unavailable("the computer is away; try again later")

    async def _ask(self, user: str, table: Table, by: Color) -> dict[str, Any]:
        """Return the answer of the robot; ask it unless a question is open. Raises ``Refusal``."""
        game_id, moves = table.id, table.game.moves
        hint = self._open.get(game_id)
        if hint is None or hint.moves != moves:
            if not self.rate_limiter.take(user, self._time.now_ms()):
                raise RateLimited("too many hints; try again later")
            self._send(table, other(by))
            hint = self._open[game_id] = OpenHint(moves)
        hint.waiting += 1
        try:
            async with asyncio.timeout(ANSWER_S):
                answer = await asyncio.shield(hint.answer)
        except TimeoutError:
            answer = None
        finally:
            hint.waiting -= 1
            if not hint.waiting and self._open.get(game_id) is hint:
                del self._open[game_id]
        shown = self._tables.peek(game_id)
        if shown is not None and shown.game.status == "over":
            raise Refusal("game_over", "the game is over")
        if shown is not None and shown.game.moves != moves:
            raise Refusal("stale_ply", STALE)
        if answer is None:
            raise Unavailable("the computer has no hint right now; try again")
        return answer

    def _send(self, table: Table, robot: Color) -> None:
        """Send ``hint.asked`` to the robot wherever it is connected."""
        ply = table.game.ply
        send_hint_asked(table, robot, ply)
        if table.replica_nodes is not None:
            table.replica_nodes.ask_hint(table.seats[robot].remote_nodes, robot, ply)

    def _give(self, request: r.HintGive, table: Table, by: Color) -> None:
        """Take the answer of the robot that plays the side ``by``. Raises ``Refusal``."""
        hint, game = self._open.get(table.id), table.game
        if request.ply != game.ply or (hint is not None and hint.moves != game.moves):
            raise Refusal("stale_ply", STALE)
        if hint is None or hint.answer.done() or game.turn == by:
            raise Conflict("no request for a hint is open in this game")
        move = game.rules.play(game.position, request.move).move
        hint.answer.set_result({"ply": request.ply, "move": move, "better": request.better, "winning": request.winning})
