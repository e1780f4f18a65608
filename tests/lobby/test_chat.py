"""Chat lines: allowed text, rate, backlog."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.accounts.user import User
from lobby.chat import (
    FLOOD_LINES,
    FLOOD_MS,
    MAX_TEXT,
    ROOM_LINES,
    WRITERS,
    ChatLine,
    ChatRoom,
    Flood,
    clean_line,
    line_wire,
)
from lobby.errors import BadMessage, RateLimited

ANNA = User("anna0001", "Anna", "member")
BEN = User("ben00001", "Ben", "guest")


class TestLines:
    @pytest.mark.parametrize(
        ("typed", "shown"),
        [
            ("  good luck \n", "good luck"),
            ("one\ttwo\r\nthree\u2028four\u00a0five", "one two three four five"),
            ("a\x00b\x1b[31mc\x7f", "a b [31mc"),
            ("\u202egg\u202c wp \u2066x\u2069", "gg wp x"),
            ("\ue000private\ud800", "private"),
            ("e\u0301", "é"),
            ("Z\u0335\u0336\u0337\u0338\u0339\u033a", "Z\u0335\u0336\u0337"),
            ("👍🏽 👩\u200d💻 ♞", "👍🏽 👩\u200d💻 ♞"),
            ("\U0001fae8", "\U0001fae8"),
            ("שלום \u200f!", "שלום \u200f!"),
            ("<script>", "<script>"),
            ("x" * MAX_TEXT, "x" * MAX_TEXT),
            (" " * 200 + "x", "x"),
        ],
    )
    def test_line_is_trimmed_and_cleaned(self, typed: str, shown: str) -> None:
        assert clean_line(typed) == shown

    @pytest.mark.parametrize(
        "typed", ["", " ", "\n\t", "\u202e", "\u200b\u200d", "\u0301", "\ud800", "\u2800\u3164", "x" * 141]
    )
    def test_empty_or_too_long_line_is_refused(self, typed: str) -> None:
        with pytest.raises(BadMessage) as refused:
            clean_line(typed)
        assert refused.value.code == "bad_message"
        assert refused.value.message.startswith("text: ")

    @given(st.text(max_size=1000))
    def test_cleaning_gives_one_plain_line_and_is_idempotent(self, typed: str) -> None:
        try:
            line = clean_line(typed)
        except BadMessage:
            return
        assert 1 <= len(line) <= MAX_TEXT
        assert line == line.strip()
        assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in line)
        assert clean_line(line) == line


class TestFlood:
    def test_five_lines_are_allowed_and_the_sixth_is_limited(self) -> None:
        flood = Flood()
        for number in range(FLOOD_LINES):
            flood.take("anna", number * 100)
        with pytest.raises(RateLimited) as refused:
            flood.take("anna", FLOOD_MS - 1)
        assert refused.value.code == "rate_limited"
        flood.take("anna", FLOOD_MS)
        with pytest.raises(RateLimited):
            flood.take("anna", FLOOD_MS + 99)
        flood.take("anna", FLOOD_MS + 100)

    def test_each_person_has_a_limit_of_their_own(self) -> None:
        flood = Flood()
        for _ in range(FLOOD_LINES):
            flood.take("anna", 0)
        flood.take("ben", 0)

    def test_lines_at_other_nodes_count(self) -> None:
        flood = Flood()
        told: list[tuple[str, float]] = []
        flood.on_spent.append(lambda user, count: told.append((user, count)))
        flood.take("anna", 0)
        flood.spend("anna", FLOOD_LINES - 1, 50)
        with pytest.raises(RateLimited):
            flood.take("anna", FLOOD_MS - 1)
        flood.take("anna", FLOOD_MS)
        assert told == [("anna", 1), ("anna", 1)], "lines from elsewhere are not reported again"

    def test_excess_lines_at_several_nodes_prolong_the_wait(self) -> None:
        flood = Flood()
        flood.spend("anna", 3 * FLOOD_LINES, 0)
        with pytest.raises(RateLimited):
            flood.take("anna", 3 * FLOOD_MS - 1)
        for _ in range(FLOOD_LINES):
            flood.take("anna", 3 * FLOOD_MS)

    def test_oldest_writer_is_forgotten_first(self) -> None:
        flood = Flood()
        for _ in range(FLOOD_LINES):
            flood.take("anna", 0)
        for number in range(WRITERS - 1):
            flood.take(str(number), 0)
        with pytest.raises(RateLimited):
            flood.take("anna", 0)
        flood.take("one more", 0)
        flood.take("anna", 0)


class TestRoom:
    def test_room_keeps_the_last_lines(self) -> None:
        room = ChatRoom()
        for number in range(ROOM_LINES + 10):
            room.add(ChatLine(ANNA, str(number), number))
        assert [line.at for line in room.lines] == list(range(10, ROOM_LINES + 10))

    def test_line_is_found_by_writer_and_key(self) -> None:
        room = ChatRoom()
        room.add(ChatLine(ANNA, "hello", 1, "k"))
        room.add(ChatLine(BEN, "hello", 2))
        found = room.find(ANNA.id, "k")
        assert found is not None
        assert found.at == 1
        assert room.find(BEN.id, "k") is None
        assert room.find(BEN.id, None) is None

    def test_large_room_has_a_lower_rate(self) -> None:
        room = ChatRoom()
        room.take_turn(10, 0)
        room.take_turn(10_000, 0)
        with pytest.raises(RateLimited):
            room.take_turn(10_000, 499)
        room.take_turn(10_000, 500)

    def test_wire_form_of_a_line_omits_the_key(self) -> None:
        assert line_wire(ChatLine(ANNA, "hello", 7, "k")) == {
            "user": {"id": "anna0001", "name": "Anna", "kind": "member", "title": None},
            "text": "hello",
            "at": 7,
        }
