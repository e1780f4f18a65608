# ruff: noqa: RUF001 - signs that look alike are told apart here
"""A move as somebody wrote, typed or said it, in any notation we know.

Marks of capture, check and mate, ``e.p.`` and the annotator's ``!?`` may stand there or not: they are read and not
checked (Article C.9, C.13). Not the library's ``parse_san``: it knows English letters only, neither ``e.p.`` nor
``++`` nor ``(=)``, and takes a king's move to g1 for illegal where ``e1g1`` castles.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import chess

from game_core.chess.notation.announcements import parse_announcement
from game_core.chess.notation.iccf import parse_iccf
from game_core.chess.notation.letters import ENGLISH, FIGURINE, PIECE_LETTERS
from game_core.chess.notation.wanted import Castling, Wanted, find_move
from game_core.errors import InvalidMove

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_TEXT = 120
"""Longest text that is looked at, in characters: the longest announcement has some 70."""

_DRAW = "(=)"

_MARKS = re.compile(r"(?:\+{1,2}|#|†|‡|[!?]{1,2}|e\.?p\.?|\(=\))\Z", re.ASCII)
"""What may follow a move, once blanks are gone."""

_SPELLINGS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("×:", "x"),
        "\N{VARIATION SELECTOR-15}": None,
        "\N{VARIATION SELECTOR-16}": None,
    }
    | dict(zip("♚♛♜♝♞♟", "♔♕♖♗♘♙", strict=True))
)
"""Hyphens, signs of capture and filled figurines in one spelling."""

_NUMBER = re.compile(r"\A[0-9]{1,4}\.+", re.ASCII)
"""Of the move, before it."""

_CASTLING = re.compile(r"[0OoОо]-[0OoОо](-[0OoОо])?")
"""With zeros, Latin or Cyrillic letters."""

_PAWN_TAKES = re.compile(r"([a-h])x?([a-h])")
"""``exd`` or ``ed``, as score sheets have it."""


class MoveText(NamedTuple):
    """What a text says."""

    move: str
    """The legal move, in wire notation."""
    offers_draw: bool
    """Whether ``(=)`` stands with it (Article C.12)."""


class _Reading(NamedTuple):
    """How texts of one language are read."""

    pattern: re.Pattern[str]
    pieces: Mapping[str, tuple[chess.PieceType, ...]]
    promotions: Mapping[str, chess.PieceType]


@cache
def _reading(language: str) -> _Reading:
    """Which letters mean what to readers of ``language``.

    Figurines are understood everywhere, and English letters which mean no piece in the language. One that names its
    pawns may be either: nobody writes a pawn's letter, but who does is not to find a bishop moved instead.
    """
    own = PIECE_LETTERS[language]
    pieces: dict[str, tuple[chess.PieceType, ...]] = {}
    promotions = {letter.casefold(): piece for piece, letter in ENGLISH.items() if chess.KNIGHT <= piece < chess.KING}
    for letters in (PIECE_LETTERS[FIGURINE], ENGLISH, own):
        for piece, letter in letters.items():
            if piece == chess.PAWN:
                pieces[letter] = (piece, *(other for other in pieces.get(letter, ()) if other != piece))
            else:
                pieces[letter] = (piece,)
            if chess.KNIGHT <= piece < chess.KING:
                promotions[letter] = piece
    pattern = re.compile(
        rf"(?P<piece>{_any(pieces)})?(?P<from_file>[a-h])?(?P<from_rank>[1-8])?[-x]?(?P<to>[a-h][1-8])"
        rf"(?:[=/(]?(?P<promotion>{_any(promotions)})\)?)?"
    )
    return _Reading(pattern, pieces, promotions)


def _any(letters: Mapping[str, object]) -> str:
    return "|".join(sorted(map(re.escape, letters), key=len, reverse=True))


def parse_move(board: chess.Board, text: str, language: str = "en") -> MoveText:
    """The legal move of ``board`` that ``text`` names.

    Args:
        board: the position.
        text: standard or long algebraic notation in the letters of ``language`` or with figurines, wire notation, ICCF
            numeric notation, or an announcement in German or English.
        language: a key of ``PIECE_LETTERS``; ``KeyError`` for others.

    Raises ``InvalidMove`` if no notation reads the text, ``AmbiguousMove`` if several legal moves go by it, and
    ``IllegalMove``, of which both are, if none does.
    """
    reading = _reading(language)
    if len(text) > MAX_TEXT:
        raise InvalidMove(f"not a move: {len(text)} characters, expected at most {MAX_TEXT}")
    # What a program wrote needs no look at every character.
    spelled = text.replace(":", "x") if text.isascii() else unicodedata.normalize("NFC", text).translate(_SPELLINGS)
    bare, offers_draw = _strip_marks(_NUMBER.sub("", "".join(spelled.split()), count=1))
    wanted = _algebraic(bare, reading)
    if wanted is None:
        spoken = parse_announcement(text)
        wanted = None if spoken is None else _algebraic(spoken, _reading("en"))
    if wanted is None:
        raise InvalidMove(f"{text!r} is not a move; expected something like 'Nf3', 'g1-f3' or 'e8=Q'")
    return MoveText(find_move(board, wanted, text).uci(), offers_draw)


def _strip_marks(text: str) -> tuple[str, bool]:
    """``text`` without what follows the move, and whether a draw was offered there."""
    offers_draw = False
    while (match := _MARKS.search(text)) is not None:
        offers_draw |= match[0] == _DRAW
        text = text[: match.start()]
    return text, offers_draw


def _algebraic(text: str, reading: _Reading) -> Wanted | Castling | None:
    castling = _CASTLING.fullmatch(text)
    if castling is not None:
        return Castling(kingside=castling[1] is None)
    takes = _PAWN_TAKES.fullmatch(text)
    if takes is not None:
        return Wanted((chess.PAWN,), _file(takes[1]), _file(takes[2]), None)
    match = reading.pattern.fullmatch(parse_iccf(text) or text)
    if match is None:
        return None
    from_mask = chess.BB_ALL
    if match["from_file"] is not None:
        from_mask &= _file(match["from_file"])
    if match["from_rank"] is not None:
        from_mask &= chess.BB_RANKS[int(match["from_rank"]) - 1]
    if match["piece"] is not None:
        pieces = reading.pieces[match["piece"]]
    else:
        # Two squares tell any piece's move; a pawn's needs no more than its file.
        pieces = tuple(chess.PIECE_TYPES) if from_mask.bit_count() == 1 else (chess.PAWN,)
    promotion = None if match["promotion"] is None else reading.promotions[match["promotion"]]
    return Wanted(pieces, from_mask, chess.BB_SQUARES[chess.parse_square(match["to"])], promotion)


def _file(name: str) -> chess.Bitboard:
    return chess.BB_FILES[chess.FILE_NAMES.index(name)]
