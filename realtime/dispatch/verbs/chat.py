"""``chat``: a line for the room of a game that its writer belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.chat import Flood, clean_line
from realtime.games.chat_rooms import ChatRooms, room_name
from realtime.protocol.errors import WireError

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
    """Takes lines to their rooms.

    Args:
        bans: who may not write.
        words: what becomes of a line before it is shown.

    Attributes:
        desk: takes lines to the nodes that have their games; None: there is no way to others.
        flood: how much everybody has written in games of this node, and, as they tell, of others.
    """

    def __init__(self, tables: Tables, time: ServerTime, bans: Bans, words: WordFilter) -> None:
        self.desk: RequestForwarder | None = None
        self._tables = tables
        self._time = time
        self._bans = bans
        self._words = words
        self.flood = Flood()

    def handle(self, session: Session, request: Chat, received_ms: int) -> None:
        """At once if the table is in memory, else when it has been loaded."""
        text = clean_line(request.text)
        kind, _, name = request.topic.partition(":")
        if kind != "game" or not name:
            raise WireError("not_found", f"nobody chats at {request.topic!r}")
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
            raise WireError("not_found", f"there is no game {name!r}")
        if table.epoch is None and self._has_others and self.desk is not None:
            # One node writes the lines of a game, so that all see the same.
            self._bans.check_chat(user.id)
            asked: Chat | None = await self.desk.ask(session, request, table, received_ms)
            if asked is None:
                return
            request, table = asked, await self._tables.own(name)
        self._write(session, request, table, user, text)

    def _write(self, session: Session, request: Chat, table: Table, user: User, text: str) -> None:
        self._bans.check_chat(user.id)
        room = room_name(is_player=table.seats.color_of(user.id) is not None)
        # Who sees the game later is not told of it by the lines of those who see it now.
        shown = table.shown_to(user.id)
        rooms = shown.chat
        line = None if rooms is None else rooms.find(room, user.id, request.key)
        if line is None:
            now_ms = self._time.now_ms()
            self.flood.take(user.id, now_ms)
            if rooms is None:
                rooms = shown.chat = ChatRooms(shown.topic)
            # Of a game that is seen later nearly all who watch hear each other and not those who see it now.
            is_largest = room == "spectators" and (table.late is None or shown is not table)
            far, text = table.topic.elsewhere if is_largest else 0, self._words.mask(text)
            line = rooms.write(room, user, text, request.key, now_ms, self._time.wall_ms(now_ms), far=far)
            if table.followers is not None:
                table.followers.say(room, line, late=shown is not table)
            table.used_at_ms = now_ms
        session.ok(request.id, {"at": line.at})
