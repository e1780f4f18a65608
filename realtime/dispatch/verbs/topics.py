"""``sub``, ``unsub`` and ``ping``."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from lobby.errors import NotFound, RateLimited, Unauthenticated, Unavailable, Unsupported
from lobby.proposals import UNAWARE
from realtime.fanout.session import TOPICS
from realtime.fanout.subscription import Subscription
from realtime.games.shared_snapshot import shared_snapshot
from realtime.games.table_view import send_clock, send_crowd, send_legal, snapshot_of
from realtime.simuls.live.subscribing import listen
from realtime.watching.mini_boards import MiniBoards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lobby.accounts.user import User
    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.lobby.lobby_client import LobbyClient
    from realtime.cluster.lobby.lobby_relay import LobbyRelay
    from realtime.fanout.message import Message
    from realtime.fanout.session import Session
    from realtime.fanout.topics import Topic
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.net.connection import Connection
    from realtime.people.block_lists import BlockLists
    from realtime.people.presence import Presence
    from realtime.protocol.requests import Ping, Sub, Unsub
    from realtime.simuls.live.simuls import Simuls
    from realtime.watching.tv.director import Director

BEHIND_S = 1.0
"""Maximum wait of a client that has seen more of a game at another node until this one has read it."""


class TopicVerbs:
    """Subscriptions of sockets to topics."""

    def __init__(
        self,
        tables: Tables,
        lobby: LobbyClient,
        lobby_relay: LobbyRelay,
        people: Presence,
        time: ServerTime,
        blocks: BlockLists,
        simuls: Simuls | None = None,
        director: Director | None = None,
    ) -> None:
        self._tables = tables
        self._lobby = lobby
        self._lobby_relay = lobby_relay
        self._people = people
        self._time = time
        self._blocks = blocks
        self._simuls = simuls
        self._director = director
        self._minis = MiniBoards(tables, time)

    def ping(self, session: Session, request: Ping, received_ms: int) -> None:
        """Answer with the server's time."""
        session.ok(request.id, {"now": self._time.wall_ms(self._time.now_ms())})

    def sub(self, session: Session, request: Sub, received_ms: int) -> None:
        """Subscribe: send ``ok`` with the current ``seq``, then the events after ``from``, or the snapshot."""
        if len(session.topics) >= TOPICS and request.topic not in session.topics:
            raise RateLimited(f"a connection can subscribe to at most {TOPICS} topics; unsubscribe from some")
        kind, _, name = request.topic.partition(":")
        if request.topic == "lobby":
            self._sub_lobby(session, request)
        elif request.topic == "tv" and self._director is not None:
            self._sub_tv(session, request, self._director)
        elif request.topic == "user":
            if session.user is None:
                raise Unauthenticated("this topic requires authentication")
            session.later(request.id, self._sub_user(session, request, session.user))
        elif kind == "game" and name:
            table = self._tables.peek(name)
            if table is not None and not _is_behind(table, request) and _knows_side(table, session, request):
                self._sub_game(session, request, table)
            else:
                session.later(request.id, self._load_and_sub(session, request, name))
        elif kind == "simul" and name and self._simuls is not None:
            session.later(request.id, listen(self._simuls, name, session, request))
        else:
            raise NotFound(f"there is no topic {request.topic!r}")

    def unsub(self, session: Session, request: Unsub, received_ms: int) -> None:
        """Unsubscribe. Without a subscription this does nothing."""
        if request.topic == "user":
            self._people.ignore(session.connection)
        leave = session.topics.pop(request.topic, None)
        if leave is not None:
            leave()
        session.ok(request.id, {})

    async def _load_and_sub(self, session: Session, request: Sub, name: str) -> None:
        table = await self._tables.get(name)
        if table is None:
            raise NotFound(f"there is no game {name!r}")
        if request.from_seq is not None and table.source is not None and _is_behind(table, request):
            table.source.read()
            await table.source.wait(request.from_seq, BEHIND_S)
            table = await self._tables.get(name) or table
            if table.source is not None and not table.source.is_attached and _is_behind(table, request):
                raise Unavailable("this server has not caught up with what you have seen; try again")
        if not _knows_side(table, session, request):
            with suppress(Unavailable):  # it can be shown anyway
                await table.seats.until_side_known(owned=table.epoch is not None)
        # This node may have taken the game over since, with a new table.
        self._sub_game(session, request, self._tables.peek(name) or table)

    async def _sub_user(self, session: Session, request: Sub, user: User) -> None:
        """Subscribe to the user's own topic. It has no numbers; its snapshot is the list of open challenges."""
        challenges = await self._lobby.challenges_of(user)
        if session.connection.closed:
            return  # a subscription of a closed socket would be kept for ever
        self._people.listen(session.connection)
        session.ok(request.id, {"seq": 0})
        for challenge in challenges:
            session.connection.send(challenge)

    def _sub_game(self, session: Session, request: Sub, table: Table) -> None:
        connection = session.connection
        if connection.closed:
            return
        if request.position:
            self._minis.sub(session, request, table)
            return
        user = None if session.user is None else session.user.id
        is_player = table.seats.color_of(user) is not None
        is_by_laws = table.game.laws is not None and table.game.status != "over"
        if is_player and is_by_laws and not request.laws:
            raise Unsupported(UNAWARE)
        shown = table.shown_to(user)
        seq = shown.game.seq
        session.ok(request.id, {"seq": seq})
        blocked = None if user is None else self._blocks.of(user)
        subscription = Subscription(
            ticks=request.ticks, legal=request.legal, laws=request.laws, player=is_player, blocked=blocked
        )
        session.topics[request.topic] = partial(self._tables.leave, table.id, connection)
        before = table.seats.online()
        # Before the snapshot, which then counts the client. Joining publishes nothing yet: its effects are stored
        # first.
        self._tables.join(table, connection, subscription)
        missed = None if request.from_seq is None else shown.topic.since(request.from_seq, seq)
        if missed is None and (is_player or table.seats.acts_for(user) is not None):
            connection.send(snapshot_of(table, self._time, user, legal=request.legal))
        elif missed is None:
            connection.write(shared_snapshot(table, shown, self._time, user).frame(connection.codec))
        else:
            for message in missed:
                connection.write(message.frame(connection.codec))
            send_clock(shown, self._time, connection, ticks=request.ticks)
            late = shown is not table
            send_crowd(table, self._time.now_ms(), (connection,), delayed=late, for_players=is_player)
            if request.legal:
                send_legal(table, connection)
        if table.seats.online() != before:
            # Players about to start wait for each other, so they are told before the next tick tells everybody.
            others = (other for other in table.topic.players if other is not connection)
            send_crowd(table, self._time.now_ms(), others, for_players=True)
            if table.replica_nodes is not None:
                table.replica_nodes.crowd(table)
        room = table.seats.chat_room(user)
        if shown.chat is not None and room is not None:
            shown.chat.send_backlog(room, connection, subscription)

    def _sub_tv(self, session: Session, request: Sub, director: Director) -> None:
        connection, topic = session.connection, director.topic
        session.ok(request.id, {"seq": topic.seq})
        missed = None if request.from_seq is None else topic.since(request.from_seq, topic.seq)
        for message in (director.snapshot(),) if missed is None else missed:
            connection.write(message.frame(connection.codec))
        topic.add(connection, Subscription(ticks=False))
        session.topics["tv"] = partial(_leave, topic, connection)

    def _sub_lobby(self, session: Session, request: Sub) -> None:
        messages = self._lobby_relay.entry(request.from_seq)
        if messages is None:
            session.later(request.id, self._fetch_and_sub_lobby(session, request))
        else:
            self._enter_lobby(session, request, messages)

    async def _fetch_and_sub_lobby(self, session: Session, request: Sub) -> None:
        messages = None
        while messages is None:
            await self._lobby_relay.fetch()
            messages = self._lobby_relay.entry(request.from_seq, is_fetched=True)
        if not session.connection.closed:
            self._enter_lobby(session, request, messages)

    def _enter_lobby(self, session: Session, request: Sub, messages: Sequence[Message]) -> None:
        connection, topic = session.connection, self._lobby_relay.topic
        session.ok(request.id, {"seq": self._lobby_relay.seq})
        for message in messages:
            connection.write(message.frame(connection.codec))
        topic.add(connection, Subscription(ticks=False))

        def leave() -> None:
            topic.remove(connection)
            session.catch_ups.pop("lobby", None)

        session.topics["lobby"] = leave
        session.catch_ups["lobby"] = partial(topic.catch_up, connection)


def _is_behind(table: Table, request: Sub) -> bool:
    """Return whether another node has shown the client more than this one knows. A game must not go back."""
    return table.source is not None and request.from_seq is not None and request.from_seq > table.game.seq


def _knows_side(table: Table, session: Session, request: Sub) -> bool:
    """Return whether it is known which side the client plays. It does not matter to a mini board."""
    user = None if session.user is None else session.user.id
    return request.position or table.seats.knows_side(user, table.game, owned=table.epoch is not None)


def _leave(topic: Topic, connection: Connection) -> None:
    topic.remove(connection)
