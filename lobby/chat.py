"""Chat lines, the flood limit of a person, and rooms with their last lines.

A game has two rooms, one for the players and one for the spectators. Pure: time is an argument.
"""

from __future__ import annotations

import unicodedata
from collections import OrderedDict, deque
from typing import TYPE_CHECKING

import msgspec

from lobby.accounts.user import User, user_wire
from lobby.errors import BadMessage, RateLimited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lobby.wire.lobby import ChatLineWire

MAX_TEXT = 140
"""Characters of a line. Fits the panel of a phone."""

MAX_MARKS = 3
"""Combining marks on one letter. No script in use stacks more, and higher stacks overlap other lines."""

ROOM_LINES = 150
"""Lines kept by a room, at most about 50 KB."""

FLOOD_LINES, FLOOD_MS = 5, 10_000
"""Lines of one person within a period, in all rooms together."""

WRITERS = 10_000
"""People whose last lines are kept for the flood limit."""

DELIVERIES_PER_MS = 20
"""Deliveries of chat a room may use. A room of ten thousand gets two lines a second, because moves share the connection
and a line to ten thousand takes the server a tenth of a second; a room of ten is not limited."""

_BIDI = {chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
"""Bidirectional embeddings, overrides and isolates: they would reverse the text after them, names and times
included."""


_BLANK = set("\u115f\u1160\u2800\u3164\uffa0")
"""Fillers of Hangul and the empty Braille cell: by category letters and a symbol, but there is nothing to see."""


class ChatLine(msgspec.Struct, frozen=True):
    """One line of chat.

    Attributes:
        at: Unix ms.
        key: the client's idempotency key.
    """

    user: User
    text: str
    at: int
    key: str | None = None


def line_wire(line: ChatLine) -> ChatLineWire:
    """Return an entry of ``chat.lines``."""
    return {"user": user_wire(line.user), "text": line.text, "at": line.at}


def clean_line(text: str) -> str:
    """Return ``text`` without control characters and bidirectional overrides, with single spaces, stripped.

    Raises:
        BadMessage: nothing to see is left, or more than ``MAX_TEXT`` characters.
    """
    line = " ".join("".join(shown(text)).split())
    if not any(is_visible(char) for char in line):
        raise BadMessage("text: expected text, got only spaces")
    if len(line) > MAX_TEXT:
        raise BadMessage(f"text: expected at most {MAX_TEXT} characters, got {len(line)}")
    return line


def shown(text: str) -> Iterator[str]:
    """Yield the visible characters of ``text``, and blanks for white space and format characters."""
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category == "Cc" or category[0] == "Z":
            yield " "
        elif char not in _BIDI and category not in ("Cs", "Co") and marks <= MAX_MARKS:
            yield char


def is_visible(char: str) -> bool:
    """Return whether ``char`` is something to see: a letter, number, punctuation mark or symbol."""
    category = unicodedata.category(char)
    # Cn, unassigned: an emoji may be newer than this Python.
    return (category[0] in "LNPS" or category == "Cn") and char not in _BLANK


class Flood:
    """Flood limit: recent lines of each person.

    A sliding window and no token bucket, which would let nearly twice as many lines pass within ``FLOOD_MS``.

    Attributes:
        on_spent: called with the person who has written a line, and 1.
    """

    def __init__(self) -> None:
        self._written: OrderedDict[str, deque[float]] = OrderedDict()
        """Times of the last lines by user, in the order of their last line."""
        self.on_spent: list[Callable[[str, float], None]] = []

    def take(self, user: str, now_ms: int) -> None:
        """Count a line of ``user``.

        Raises:
            RateLimited: they have written ``FLOOD_LINES`` in the last ``FLOOD_MS``; this one is not counted.
        """
        times = self._times(user)
        if len(times) == FLOOD_LINES and now_ms - times[0] < FLOOD_MS:
            raise RateLimited(f"at most {FLOOD_LINES} lines in {FLOOD_MS // 1000} seconds; wait a moment")
        times.append(now_ms)
        self._written.move_to_end(user)
        for call in self.on_spent:
            call(user, 1)

    def spend(self, user: str, count: float, now_ms: float) -> None:
        """Count lines that ``user`` has written on other nodes. Lines above the limit count from when they would have
        been allowed, so the wait is as much longer."""
        times = self._times(user)
        for _ in range(round(count)):
            free_ms = times[0] + FLOOD_MS if len(times) == FLOOD_LINES else now_ms
            times.append(max(now_ms, free_ms))
        self._written.move_to_end(user)

    def _times(self, user: str) -> deque[float]:
        times = self._written.get(user)
        if times is None:
            times = self._written[user] = deque(maxlen=FLOOD_LINES)
            if len(self._written) > WRITERS:
                self._written.popitem(last=False)
        return times


class ChatRoom:
    """The last lines of one room, oldest first."""

    __slots__ = ("_free_at_ms", "lines")

    def __init__(self) -> None:
        self.lines: deque[ChatLine] = deque(maxlen=ROOM_LINES)
        self._free_at_ms = 0

    def find(self, user: str, key: str | None) -> ChatLine | None:
        """Return the line that ``user`` wrote with ``key``, if it is still kept."""
        if key is None:
            return None
        return next((line for line in self.lines if line.key == key and line.user.id == user), None)

    def take_turn(self, listeners: int, now_ms: int) -> None:
        """Reserve the delivery time of a line to ``listeners`` people.

        Raises:
            RateLimited: so many are listening that the last line still takes up the room's share.
        """
        if now_ms < self._free_at_ms:
            raise RateLimited("too many messages at the same time; try again")
        self._free_at_ms = now_ms + listeners // DELIVERIES_PER_MS

    def add(self, line: ChatLine) -> None:
        """Append ``line``; a full room drops its oldest one."""
        self.lines.append(line)
