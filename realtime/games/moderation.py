"""Moderation: bans and their announcement, block lists, play bans, the word filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.moderation.bans import Ban, Bans, ban_notice, unban_notice
from lobby.moderation.word_filter import BadWords, EveryWord, WordFilter, read_words
from realtime.games.game_observer import GameObserver
from realtime.people.block_lists import BlockLists
from realtime.people.play_ban_worker import PlayBanWorker
from realtime.protocol.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path
    from typing import Any

    from lobby.wire.lobby import ChatLineWire
    from realtime.games.tables import Tables
    from realtime.postgres.database import Pool

    Tell = Callable[[str, Mapping[str, Any]], None]


class Moderation(GameObserver):
    """The parts of moderation, created once by the wiring. Other code uses the parts directly.

    Args:
        notify: sends a message to all sockets of a person.
        now_ms: the wall clock, Unix ms.
    """

    def __init__(self, pool: Pool, notify: Tell, now_ms: Callable[[], int], words: WordFilter) -> None:
        self.notify = notify
        self.words = words
        self.bans = Bans(pool, now_ms)
        self.bans.on_change.append(self._tell_ban)
        self.block_lists = BlockLists(pool)
        self.judge = PlayBanWorker(pool, self.bans)

    def over(self) -> None:
        """Let the play-ban worker examine the finished game."""
        self.judge.wake()

    async def close(self) -> None:
        """Close the parts. The caller has cancelled the task of ``judge``."""
        await self.block_lists.close()

    def _tell_ban(self, person: str, ban: Ban | None) -> None:
        self.notify(person, unban_notice() if ban is None else ban_notice(ban))


def lines_in(tables: Tables) -> Callable[[str, str], Awaitable[list[ChatLineWire]]]:
    """Return a function that reads the chat room of a game (its id) to which a person (their id) belongs. It returns no
    lines if the game has left memory, and raises the errors of a query."""

    async def lines(game: str, person: str) -> list[ChatLineWire]:
        table = tables.peek(game)
        if table is None and tables.others is not None and not tables.others.is_alone:
            table = await tables.get(game)  # may ask the node that owns it
        chat = None if table is None else table.shown_to(person).chat
        if table is None or chat is None:
            return []
        room = table.seats.chat_room(person)
        return [] if room is None else chat.lines(room)

    return lines


def words_of(file: Path | None) -> WordFilter:
    """Return the word filter of the setting ``words``.

    Raises:
        BadSetting: the file cannot be read, or is not a list of words.
    """
    if file is None:
        return EveryWord()
    try:
        return read_words(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, BadWords) as error:
        raise BadSetting(f"words: {file}: {error}") from error
