"""PGN parser in a separate process: text on standard input, one frame per game on standard output.

    python -m realtime.imports.import_worker

Hundreds of games a second would take too long on the loop of a server with running clocks. The process has a low
priority and bounded memory, and it ends with its input, so that it never outlives a killed server.

A frame is a length of four bytes and a MessagePack message: ``Record``, ``UnreadableGame``, or finally ``EndOfText``.
"""

from __future__ import annotations

import codecs
import os
import resource
import sys
from typing import TYPE_CHECKING

import msgspec

from game_core.chess.pgn_reader import PgnReader
from game_core.errors import BadScore
from realtime.imports.import_record import Record, TooLarge, record_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from game_core.chess.pgn_game import PgnGame

MAX_GAMES = 20_000
"""Maximum number of games in one text, unreadable ones included: a club's games of many years."""

MAX_REFUSED = 100
"""Maximum number of refused games reported; others are only counted, since no user fixes more by hand."""

NICENESS = 10
"""Priority below the server's."""

MAX_MEMORY = 1024 * 1024 * 1024
"""Limit of address space in bytes; the longest game takes some hundred million. It backs up the parser's own limits."""

PIECE = 64 * 1024
"""Bytes read at a time."""

LENGTH_BYTES = 4


class UnreadableGame(msgspec.Struct, frozen=True, array_like=True, tag="refused"):
    """An unreadable game, with its number in the text and the position of the error; all count from 1."""

    game: int
    line: int
    column: int
    message: str


class EndOfText(msgspec.Struct, frozen=True, array_like=True, tag="done"):
    """The end of the text.

    Attributes:
        more_refused: number of refused games beyond those reported.
        too_many: the text has more than ``MAX_GAMES``; the rest was not read.
    """

    more_refused: int = 0
    too_many: bool = False


Frame = Record | UnreadableGame | EndOfText


def _latin(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes that are not UTF-8 as Latin-1, the character set of PGN by the standard (section 4.1)."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("pgn", _latin)


def frames_of(pieces: Iterable[bytes]) -> Iterator[Frame]:
    """Yield the games of a text that comes in pieces, in order, and then ``EndOfText``."""
    decoder = codecs.getincrementaldecoder("utf-8")("pgn")
    reader = PgnReader()
    taken, refused = 0, 0
    for found in _found(reader, decoder, pieces):
        if taken + refused == MAX_GAMES:
            yield EndOfText(more_refused=max(0, refused - MAX_REFUSED), too_many=True)
            return
        frame = _frame(found, taken + refused + 1, reader.place)
        if isinstance(frame, Record):
            taken += 1
        else:
            refused += 1
        if isinstance(frame, Record) or refused <= MAX_REFUSED:
            yield frame
    yield EndOfText(more_refused=max(0, refused - MAX_REFUSED))


def _found(
    reader: PgnReader, decoder: codecs.IncrementalDecoder, pieces: Iterable[bytes]
) -> Iterator[PgnGame | BadScore]:
    for piece in pieces:
        yield from reader.feed(decoder.decode(piece))
    yield from reader.feed(decoder.decode(b"", final=True))
    yield from reader.close()


def _frame(found: PgnGame | BadScore, number: int, place: tuple[int, int]) -> Record | UnreadableGame:
    if isinstance(found, BadScore):
        return UnreadableGame(found.game, found.line, found.column, found.reason)
    try:
        return record_of(found)
    except TooLarge as error:
        return UnreadableGame(number, *place, str(error))


def main() -> None:
    """Read standard input to its end."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    encoder = msgspec.msgpack.Encoder()
    output = sys.stdout.buffer
    for frame in frames_of(iter(lambda: os.read(0, PIECE), b"")):
        message = encoder.encode(frame)
        output.write(len(message).to_bytes(LENGTH_BYTES))
        output.write(message)
        output.flush()


if __name__ == "__main__":
    main()
