"""Import worker: PGN to stored games, in frames and in its own process, for any text."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.chess.pgn_game import PgnGame
from game_core.chess.pgn_reader import read_games
from game_core.scores.lines import Line, Ply
from realtime.imports import import_record, import_worker
from realtime.imports.import_process import ReaderDied, open_process
from realtime.imports.import_record import MAX_LISTED, Record, TooLarge, record_of
from realtime.imports.import_worker import EndOfText, UnreadableGame, frames_of
from tests.game_core.chess.library import DATA
from tests.game_core.chess.test_pgn_round_trip import games

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from realtime.imports.import_worker import Frame

ANNA = b'[White "Anna"]\n[Black "Bert"]\n[WhiteElo "1850"]\n[BlackElo "strong"]\n\n1. e4 e5 2. Nf3 1-0\n\n'
BROKEN = b'[White "Carl"]\n\n1. e4 e5 2. Ke3 0-1\n\n'


def game_of(line: object) -> PgnGame:
    """The game that the JSON of a score tells: nothing of it was lost."""

    def read_line(told: dict[str, object]) -> Line:
        return Line(tuple(read_ply(ply) for ply in told["moves"]), tuple(told.get("comments", ())))  # type: ignore[attr-defined,arg-type]  # JSON

    def read_ply(told: dict[str, object]) -> Ply:
        variations = tuple(read_line(variation) for variation in told.get("variations", ()))  # type: ignore[attr-defined]  # JSON
        return Ply(
            told["move"],  # type: ignore[arg-type]  # JSON, as all below
            told["san"],  # type: ignore[arg-type]
            tuple(told.get("nags", ())),  # type: ignore[arg-type]
            told.get("clock"),  # type: ignore[arg-type]
            told.get("spent"),  # type: ignore[arg-type]
            told.get("draw", False),  # type: ignore[arg-type]
            tuple(told.get("comments", ())),  # type: ignore[arg-type]
            variations,
            tuple(told.get("afterwards", ())),  # type: ignore[arg-type]
        )

    assert isinstance(line, dict)
    return PgnGame(line["tags"], line["variant"], line["fen"], read_line(line["line"]), line["result"])


def records(*pieces: bytes) -> list[Record]:
    return [frame for frame in frames_of(pieces) if isinstance(frame, Record)]


class TestRecord:
    @given(games())
    def test_pgn_and_score_contain_the_whole_game(self, game: PgnGame) -> None:
        record = record_of(game)
        assert game_of(json.loads(record.score)) == game
        assert list(read_games([record.pgn])) == [game]
        assert record.size == len(record.pgn.encode()) + len(record.score.encode())
        assert record.plies == len(game.line.plies)

    def test_record_has_the_fields_of_the_tags(self) -> None:
        (record,) = records(ANNA)
        assert (record.white, record.white_elo, record.black, record.black_elo) == ("Anna", 1850, "Bert", None)
        assert (record.result, record.date, record.event, record.plies, record.variant) == (
            "1-0", "????.??.??", "?", 3, "standard",
        )  # fmt: skip

    @pytest.mark.parametrize("text", ["", "0", "12345", "-5", "²", "1 800", "١٨٠٠"])
    def test_invalid_rating_becomes_none(self, text: str) -> None:
        assert record_of(PgnGame({"WhiteElo": text})).white_elo is None

    def test_long_names_are_shortened_in_lists(self) -> None:
        record = record_of(PgnGame({"White": "x" * 5000}))
        assert record.white == "x" * MAX_LISTED
        assert "x" * 5000 in record.pgn

    def test_too_long_game_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(import_record, "MAX_SCORE", 400)
        with pytest.raises(TooLarge):
            record_of(PgnGame({"Event": "ä" * 200}))
        found = list(frames_of([ANNA, b'[Event "' + b"x" * 400 + b'"]\n\n1. e4 *\n\n', ANNA]))
        assert [type(frame) for frame in found] == [Record, UnreadableGame, Record, EndOfText]
        refused = found[1]
        assert isinstance(refused, UnreadableGame)
        assert (refused.game, refused.line, refused.column) == (2, 10, 8)


class TestFrames:
    def test_broken_game_does_not_affect_others(self) -> None:
        found = list(frames_of([ANNA + BROKEN + ANNA]))
        assert [type(frame) for frame in found] == [Record, UnreadableGame, Record, EndOfText]
        refused = found[1]
        assert isinstance(refused, UnreadableGame)
        assert (refused.game, refused.line, refused.column) == (2, 10, 13)
        assert "Ke3" in refused.message

    @given(st.integers(1, 40))
    def test_text_may_be_split_anywhere(self, size: int) -> None:
        text = '[White "Anna Müller"]\n\n1. e4 {größer} *\n'.encode() + BROKEN
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        assert list(frames_of(pieces)) == list(frames_of([text]))

    def test_text_may_be_utf_8_or_latin_1(self) -> None:
        text = '[White "Müller"]\n\n1. e4 *\n'
        assert [record.white for record in records(text.encode(), text.encode("latin-1"))] == ["Müller", "Müller"]
        assert [record.white for record in records(b'\xef\xbb\xbf[White "A"]\n*\n[White "\xe2\x82"]\n*')] == ["A", "â "]

    @given(st.binary(max_size=200) | st.text('[]"{}();%$\\ \nW1.e4e5*-0O', max_size=100).map(str.encode))
    def test_records_contain_only_storable_text(self, text: bytes) -> None:
        *found, done = frames_of([text])
        assert isinstance(done, EndOfText)
        for record in found:
            if isinstance(record, Record):
                for value in (record.white, record.black, record.event, record.date, record.pgn, record.score):
                    assert "\0" not in value
                    value.encode()

    def test_reported_refused_games_are_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(import_worker, "MAX_REFUSED", 2)
        found = list(frames_of([BROKEN * 5 + ANNA]))
        assert [type(frame) for frame in found] == [UnreadableGame, UnreadableGame, Record, EndOfText]
        assert found[-1] == EndOfText(more_refused=3)

    def test_number_of_games_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(import_worker, "MAX_GAMES", 3)

        def pieces() -> Iterator[bytes]:
            yield from (ANNA, BROKEN, ANNA)
            yield ANNA * 2
            raise AssertionError("nobody wants more")

        assert list(frames_of([ANNA, BROKEN, ANNA]))[-1] == EndOfText()
        found = list(frames_of(pieces()))
        assert [type(frame) for frame in found] == [Record, UnreadableGame, Record, EndOfText]
        assert found[-1] == EndOfText(too_many=True)

    def test_empty_text_has_no_game(self) -> None:
        assert list(frames_of([])) == list(frames_of([b"\n \n"])) == [EndOfText()]


async def sent(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


async def every(frames: AsyncIterator[Frame]) -> list[Frame]:
    """All frames up to ``EndOfText``."""
    said = []
    async for frame in frames:
        said.append(frame)
        if isinstance(frame, EndOfText):
            break
    return said


class TestProcess:
    async def test_process_sends_the_same_frames(self) -> None:
        text = (DATA / "kasparov-deep-blue-1997.pgn").read_bytes() + BROKEN
        async with open_process() as process:
            feeding = asyncio.create_task(process.feed(sent(text)))
            said = await every(process.frames())
            await feeding
        assert said == list(frames_of([text]))
        assert len(said) == 8

    async def test_killed_process_raises_an_error(self) -> None:
        async def endless() -> AsyncIterator[bytes]:
            while True:
                yield ANNA

        async with open_process() as process:
            feeding = asyncio.create_task(process.feed(endless()))
            frames = process.frames()
            assert isinstance(await anext(frames), Record)
            os.kill(process.pid, signal.SIGKILL)
            with pytest.raises(ReaderDied):
                await every(frames)
            await feeding

    async def test_process_may_be_closed_with_unread_frames(self) -> None:
        """The process does not wait to be read, and the server does not wait for its end."""
        async with open_process() as process:
            feeding = asyncio.create_task(process.feed(sent(*[ANNA * 100] * 200)))
            assert isinstance(await anext(process.frames()), Record)
            assert not feeding.done()
        await feeding
