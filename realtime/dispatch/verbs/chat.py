"""``chat``: a line for one of the two chat rooms of a game: that of its writer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.chat import Flood, clean_line
from lobby.errors import Forbidden, NotFound
from realtime.games.chat_rooms import ChatRooms

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from lobby.moderation.bans import Bans
    from lobby.moderation.word_filter import WordFilter
    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.games.forward import RequestForwarder
    from realtime.fanout.session import Session
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.protocol.requests import Chat


class ChatVerbs:
    """Delivers chat lines to their rooms.

    Args:
        bans: users who may not write.
        words: filter applied to a line before it is shown.
        forwarder: forwards lines to the nodes that own their games; None: a lone node.

    Attributes:
        flood: amount written by each user in games of this node and, as reported, of others.
    """

    def __init__(
        self, tables: Tables, time: ServerTime, bans: Bans, words: WordFilter, forwarder: RequestForwarder | None = None
    ) -> None:
        self._forwarder = forwarder
        self._tables = tables
        self._time = time
        self._bans = bans
        self._words = words
        self.flood = Flood()

    def handle(self, session: Session, request: Chat, received_ms: int) -> None:
        """Handle a line: at once if this node may write it, else after loading the table or forwarding."""
        text = clean_line(request.text)
        kind, _, name = request.topic.partition(":")
        if kind != "game" or not name:
            raise NotFound(f"there is no chat on topic {request.topic!r}")
        table = self._tables.peek(name)
        if table is not None and (table.epoch is not None or not self._has_others):
            self._write(session, request, table, session.person, text)
        else:
            session.later(request.id, self._load_and_write(session, request, name, text, received_ms))

    @property
    def _has_others(self) -> bool:
        return self._tables.others is not None and not self._tables.others.is_alone

    async def _load_and_write(self, session: Session, request: Chat, name: str, text: str, received_ms: int) -> None:
        user = session.person
        table = await self._tables.get(name)
        if table is None:
            raise NotFound(f"there is no game {name!r}")
        if table.epoch is None and self._has_others and self._forwarder is not None:
            # The owner writes the lines of a game, so that all see them in the same order.
            self._bans.check_chat(user.id)
            local: Chat | None = await self._forwarder.forward(session, request, table, received_ms)
            if local is None:
                return
            request, table = local, await self._tables.own(name)
        self._write(session, request, table, user, text)

    def _write(self, session: Session, request: Chat, table: Table, user: User, text: str) -> None:
        self._bans.check_chat(user.id)
        room = table.seats.chat_room(user.id)
        if room is None:
            raise Forbidden("you play for the host and cannot chat here meanwhile")
        # Lines of live listeners must not reveal the present game to those on the delayed view.
        shown = table.shown_to(user.id)
        rooms = shown.chat
        line = None if rooms is None else rooms.find(room, user.id, request.key)
        if line is None:
            now_ms = self._time.now_ms()
            self.flood.take(user.id, now_ms)
            if rooms is None:
                rooms = shown.chat = ChatRooms(shown.topic, table.seats)
            # In a game with a delayed view nearly all spectators see one another's lines, but not those of live
            # listeners.
            is_largest = room == "spectators" and (table.delayed is None or shown is not table)
            far, text = table.topic.remote_watching if is_largest else 0, self._words.mask(text)
            line = rooms.write(room, user, text, request.key, now_ms, self._time.wall_ms(now_ms), far=far)
            if table.replica_nodes is not None:
                table.replica_nodes.publish_chat(room, line, delayed=shown is not table)
            table.used_at_ms = now_ms
        session.ok(request.id, {"at": line.at})
