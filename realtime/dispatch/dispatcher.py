"""The socket side of the server: authentication, sessions and the dispatch of requests."""

from __future__ import annotations

import asyncio
import logging
from time import perf_counter
from typing import TYPE_CHECKING, Any

from game_core.errors import Refusal
from lobby.accounts.user import user_wire
from realtime.dispatch.verbs import games, lobby
from realtime.fanout.session import Session
from realtime.ops.log import REQUEST
from realtime.people.presence import LOGGED_OUT
from realtime.postgres.database import FAILURES, classify
from realtime.protocol import requests as r
from realtime.protocol.errors import HandshakeRefused
from realtime.protocol.permissions import check
from realtime.protocol.requests import decode_request, request_id
from realtime.protocol.simul_requests import SIMUL_REQUESTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.accounts.identity import Identities
    from lobby.accounts.user import Grant
    from realtime.clock.loop_time import ServerTime
    from realtime.dispatch.verbs.chat import ChatVerbs
    from realtime.dispatch.verbs.games import GameVerbs
    from realtime.dispatch.verbs.hints import HintVerbs
    from realtime.dispatch.verbs.lobby import LobbyVerbs
    from realtime.dispatch.verbs.simuls import SimulVerbs
    from realtime.dispatch.verbs.topics import TopicVerbs
    from realtime.fanout.spectator_queue import FanOut
    from realtime.games.tables import Tables
    from realtime.net.connection import Connection
    from realtime.ops.metrics import Metrics
    from realtime.people.presence import Presence
    from realtime.protocol.limits import Limits
    from realtime.protocol.request_fields import Request
    from realtime.protocol.wire_types import WelcomeWire

    Verb = Callable[[Session, Any, int], None]

log = logging.getLogger(__name__)

VERSION = 1
"""Version of the wire protocol."""


class Dispatcher:
    """The gateway's ``SocketHandler``: one session per socket, one verb per request."""

    def __init__(
        self,
        *,
        identities: Identities,
        people: Presence,
        tables: Tables,
        topic_verbs: TopicVerbs,
        game_verbs: GameVerbs,
        lobby_verbs: LobbyVerbs,
        chat_verbs: ChatVerbs,
        hint_verbs: HintVerbs,
        simul_verbs: SimulVerbs,
        simuls_of: Callable[[str], list[str]],
        limits: Limits,
        time: ServerTime,
        metrics: Metrics,
        fan_out: FanOut,
    ) -> None:
        self._identities = identities
        self._people = people
        self._tables = tables
        self._simuls_of = simuls_of
        self._limits = limits.as_wire()
        self._time = time
        self._lobby_verbs = lobby_verbs
        self._metrics = metrics
        self._fan_out = fan_out
        self._sessions: set[Session] = set()
        self._verbs: dict[type[Request], Verb] = {
            r.Ping: topic_verbs.ping,
            r.Sub: topic_verbs.sub,
            r.Unsub: topic_verbs.unsub,
            r.Chat: chat_verbs.handle,
            r.Hint: hint_verbs.handle,
            r.HintGive: hint_verbs.handle,
            r.Robots: lobby_verbs.report_robots,
            **dict.fromkeys(games.BUILDERS, game_verbs.handle),
            **dict.fromkeys(lobby.CALLS, lobby_verbs.handle),
            **dict.fromkeys(SIMUL_REQUESTS.values(), simul_verbs.handle),
        }

    async def authenticate(self, token: str) -> Grant | None:
        """Return the grant of a token: its user and its scopes.

        While the database is down all clients reconnect repeatedly, so the error is sent to them and not logged.
        """
        try:
            return await self._identities.grant_of_token(token)
        except FAILURES as error:
            if classify(error) is None:
                raise
            raise HandshakeRefused(503, "unavailable", "the database is not responding; try again") from error

    def on_open(self, connection: Connection) -> None:
        """Greet the client: the server speaks first, with ``welcome``."""
        session = Session(connection, self._metrics.error, self._fan_out)
        connection.session = session
        self._sessions.add(session)
        user = connection.user
        if connection.grant is not None and self._identities.is_revoked(connection.grant.key):
            connection.close(LOGGED_OUT, "logged out")  # between the check of its token and now
        welcome: WelcomeWire = {
            "t": "welcome",
            "v": VERSION,
            "user": None if user is None else user_wire(user),
            "now": self._time.wall_ms(self._time.now_ms()),
            "games": [] if user is None else self._tables.live_games.of(user.id),
            "limits": self._limits,
        }
        simuls = [] if user is None else self._simuls_of(user.id)
        if simuls:
            welcome["simuls"] = simuls
        connection.send(welcome)
        self._people.add(connection)
        self._lobby_verbs.greet(connection)

    def on_message(self, connection: Connection, message: dict[str, Any], received_ms: int) -> None:
        """Handle one request: decode, dispatch, or refuse it."""
        session: Session = connection.session
        started = perf_counter()
        try:
            request = decode_request(message)
            REQUEST.set(request.t)
            self._metrics.stages["decode"].observe(perf_counter() - started)
            check(request.needs(), connection.grant)
            self._verbs[type(request)](session, request, received_ms)
        except Refusal as error:
            session.error(request_id(message), error)

    def on_close(self, connection: Connection) -> None:
        """Clean up after a closed socket: its subscriptions end, and its player may have left."""
        session: Session = connection.session
        self._sessions.discard(session)
        session.close()
        connection.session = None  # breaks the reference cycle between the two
        self._people.remove(connection)

    async def close(self) -> None:
        """Wait for the requests under way."""
        await asyncio.gather(*(session.finish() for session in self._sessions), return_exceptions=True)
