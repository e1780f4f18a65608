"""Positions as text, as in the tag of PDN: ``W:W31-50:B1-20``, ``B:Wc3,Kd4:Bh8``.

Where the laws limit consecutive moves of a king, the counts follow as in lidraughts, Black's and then White's:
``W:W31,K46:B5,K12:+212+346`` says that the king on 12 has made two, that on 46 three; ``+0`` none.

Written: the side to move, White's pieces, Black's; of each side the men, then the kings with a ``K`` each, in the order
of the squares; three or more consecutive men as a range. Also read: sides in the other order, ranges of any two numbers
and of kings, pieces in any order, lower case, blanks, a final full stop. Where consecutive moves are limited, the
half-move clock and move number of lidraughts, ``:H0:F1``, are skipped.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from game_core.draughts.field import each
from game_core.draughts.men import NO_RUN, NO_RUNS, KingRun, Men, Runs
from game_core.errors import BadPosition

if TYPE_CHECKING:
    from game_core.draughts.board import Board

LONGEST = 1000
"""Longest accepted text in characters."""

_SHAPE = re.compile(
    r"([WB]):([WB])([^:]*):([WB])([^:]*)((?::H[0-9]+:F[0-9]+)?(?::\+([0-9])([0-9]*)\+([0-9])([0-9]*))?)", re.ASCII
)

_RANGE = 3
"""Fewest consecutive men that are written as a range."""


def format_fen(board: Board, men: Men) -> str:
    """Return the text of ``men``."""
    white, black = (_format_side(board, side & ~men.kings, side & men.kings) for side in (men.white, men.black))
    return f"{men.turn.upper()}:W{white}:B{black}{_format_runs(board, men.runs) if men.runs is not NO_RUNS else ''}"


def parse_fen(board: Board, text: str) -> Men:
    """Parse a position. Raises ``BadPosition`` if it is malformed or impossible."""
    shape = _SHAPE.fullmatch(re.sub(r"\s", "", text).upper().removesuffix(".")) if len(text) <= LONGEST else None
    if shape is None or shape[2] == shape[4] or (shape[6] and board.laws.king_moves is None):
        raise BadPosition(
            f"{text[:80]!r} is not a position; expected one as in 'W:W31-50:B1-20', with a K before kings"
        )
    sides = {shape[2]: _parse_side(board, shape[3]), shape[4]: _parse_side(board, shape[5])}
    (white, white_kings), (black, black_kings) = sides["W"], sides["B"]
    twice = white & black
    if twice:
        raise BadPosition(f"both sides have a piece on {_names(board, twice)}")
    for word, pieces, kings, crown in (
        ("White", white, white_kings, board.crown["w"]),
        ("Black", black, black_kings, board.crown["b"]),
    ):
        if not pieces:
            raise BadPosition(f"{word} has no pieces")
        if pieces.bit_count() > board.most:
            raise BadPosition(f"{word} has {pieces.bit_count()} pieces, more than the {board.most} of the start")
        uncrowned = pieces & ~kings & crown
        if uncrowned:
            raise BadPosition(f"{word}'s man on {_names(board, uncrowned)} must be a king")
    men = Men(white, black, white_kings | black_kings, "w" if shape[1] == "W" else "b")
    if shape[7] is None:
        return men
    runs = Runs(_parse_run(board, shape[9], shape[10]), _parse_run(board, shape[7], shape[8]))
    counted = runs.of(men)
    if counted != runs:
        raise BadPosition(f"in {text[:80]!r} moves in a row are those of a king whose side has men")
    return men._replace(runs=counted)


def _format_side(board: Board, men: int, kings: int) -> str:
    names = board.field.names
    if board.laws.naming == "letters":
        return ",".join([*(names[bit] for bit in each(men)), *(f"K{names[bit]}" for bit in each(kings))])
    words: list[str] = []
    numbers = enumerate(int(names[bit]) for bit in each(men))
    for _, run in groupby(numbers, lambda pair: pair[1] - pair[0]):
        row = [str(number) for _, number in run]
        words += [f"{row[0]}-{row[-1]}"] if len(row) >= _RANGE else row
    return ",".join([*words, *(f"K{names[bit]}" for bit in each(kings))])


def _format_runs(board: Board, runs: Runs) -> str:
    white, black = (f"+{run.moves}{board.field.names.get(run.king, '')}" for run in runs)
    return f":{black}{white}"


def _parse_run(board: Board, moves: str, king: str) -> KingRun:
    most = board.laws.king_moves or 0
    if moves == "0" and not king:
        return NO_RUN
    if not 0 < int(moves) <= most or king not in board.field.named:
        raise BadPosition(f"+{moves}{king} is not a king with 1 to {most} moves in a row")
    return KingRun(board.field.named[king], int(moves))


def _parse_side(board: Board, text: str) -> tuple[int, int]:
    """Return all pieces, and the kings among them."""
    pieces = kings = 0
    for word in filter(None, text.split(",")):
        found = _parse_word(board, word.removeprefix("K"))
        if found & pieces:
            raise BadPosition(f"there are two pieces on {_names(board, found & pieces)}")
        pieces |= found
        if word.startswith("K"):
            kings |= found
    return pieces, kings


def _parse_word(board: Board, word: str) -> int:
    """Return the squares of ``word``: one, or a range of numbers."""
    named = board.field.named
    if word.lower() in named:
        return named[word.lower()]
    first, _, last = word.partition("-")
    if board.laws.naming == "numbers" and first in named and last in named and int(first) <= int(last):
        return sum(named[str(number)] for number in range(int(first), int(last) + 1))
    raise BadPosition(f"{word[:20].lower()!r} is not a square of this board")


def _names(board: Board, bits: int) -> str:
    return ", ".join(board.field.names[bit] for bit in each(bits))
