"""PGN to games, in a process of its own: text on standard input, one frame a game on standard output.

    python -m realtime.imports.import_worker

Hundreds of games a second are more than the loop of a server with clocks running has time for. The process is nice,
its memory is bounded, and it ends with its input, so that it never outlives a server that was killed.

A frame is its length in four bytes and a message of MessagePack: ``Record``, ``Refused``, and last ``Done``.
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
"""Games of one text, those with them that cannot be read: the club's of many years."""

MAX_REFUSED = 100
"""Refused games that are told of; the others are counted. Nobody mends more of them by hand."""

NICENESS = 10
"""The server goes first."""

MAX_MEMORY = 1024 * 1024 * 1024
"""Bytes of address space; the longest game takes some hundred million, should the parser's own limits not hold."""

PIECE = 64 * 1024
"""Bytes read at a time."""

LENGTH_BYTES = 4


class Refused(msgspec.Struct, frozen=True, array_like=True, tag="refused"):
    """A game that cannot be read, by its place in the text, and where in the text that shows; all from 1."""

    game: int
    line: int
    column: int
    message: str


class Done(msgspec.Struct, frozen=True, array_like=True, tag="done"):
    """The text is at its end.

    Attributes:
        more_refused: games refused besides those told of.
        too_many: it was not: there were more than ``MAX_GAMES``, and the rest was not read.
    """

    more_refused: int = 0
    too_many: bool = False


Frame = Record | Refused | Done


def _latin(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are no UTF-8 as Latin-1, which the standard says PGN is (section 4.1)."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("pgn", _latin)


def frames_of(pieces: Iterable[bytes]) -> Iterator[Frame]:
    """The games of a text that comes in pieces, in order, and ``Done``."""
    decoder = codecs.getincrementaldecoder("utf-8")("pgn")
    reader = PgnReader()
    taken, refused = 0, 0
    for found in _found(reader, decoder, pieces):
        if taken + refused == MAX_GAMES:
            yield Done(more_refused=max(0, refused - MAX_REFUSED), too_many=True)
            return
        frame = _frame(found, taken + refused + 1, reader.place)
        if isinstance(frame, Record):
            taken += 1
        else:
            refused += 1
        if isinstance(frame, Record) or refused <= MAX_REFUSED:
            yield frame
    yield Done(more_refused=max(0, refused - MAX_REFUSED))


def _found(
    reader: PgnReader, decoder: codecs.IncrementalDecoder, pieces: Iterable[bytes]
) -> Iterator[PgnGame | BadScore]:
    for piece in pieces:
        yield from reader.feed(decoder.decode(piece))
    yield from reader.feed(decoder.decode(b"", final=True))
    yield from reader.close()


def _frame(found: PgnGame | BadScore, number: int, place: tuple[int, int]) -> Record | Refused:
    if isinstance(found, BadScore):
        return Refused(found.game, found.line, found.column, found.reason)
    try:
        return record_of(found)
    except TooLarge as error:
        return Refused(number, *place, str(error))


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
