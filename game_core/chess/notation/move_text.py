# ruff: noqa: RUF001 - signs that look alike are told apart here
"""Parsing of a move that a person wrote, typed or spoke, in any known notation.

Marks of capture, check and mate, ``e.p.`` and the annotator's ``!?`` are optional and not checked (Article C.9, C.13).
The library's ``parse_san`` is not used: it knows English letters only, neither ``e.p.`` nor ``++`` nor ``(=)``, and
considers a king's move to g1 illegal where ``e1g1`` castles.
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
from game_core.chess.notation.partial_move import Castling, PartialMove, find_any, find_move
from game_core.errors import AmbiguousMove, IllegalMove, InvalidMove

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from game_core.chess.laws import Laws

MAX_TEXT = 120
"""Longest accepted text in characters. The longest announcement has about 70."""

_DRAW = "(=)"

_MARKS = re.compile(r"(?:\+{1,2}|#|†|‡|[!?]{1,2}|e\.?p\.?|\(=\))\Z", re.ASCII)
"""Marks after a move, without blanks."""

_SPELLINGS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("×:", "x"),
        "\N{VARIATION SELECTOR-15}": None,
        "\N{VARIATION SELECTOR-16}": None,
    }
    | dict(zip("♚♛♜♝♞♟", "♔♕♖♗♘♙", strict=True))
)
"""Normalises hyphens, capture signs and filled figurines."""

_NUMBER = re.compile(r"\A[0-9]{1,4}\.+", re.ASCII)
"""A move number before the move."""

_CASTLING = re.compile(r"[0OoОо]-?[0OoОо](-?[0OoОо])?")
"""Zeros, Latin or Cyrillic letters, with or without hyphens."""

_PAWN_TAKES = re.compile(r"([a-h])x?([a-h])")
"""``exd`` or ``ed``, as on score sheets."""

_NAMED_TWICE = re.compile(r"([a-h])[-x]?\1[1-8]")
"""A pawn's file is never written twice: in ``bb4`` one of the letters is more likely a bishop."""


class MoveText(NamedTuple):
    """A parsed move."""

    move: str
    """The legal move, in wire notation."""
    offers_draw: bool
    """Whether it is followed by ``(=)`` (Article C.12)."""


class _Reading(NamedTuple):
    """The letters of one language."""

    pattern: re.Pattern[str]
    pieces: Mapping[str, tuple[chess.PieceType, ...]]
    promotions: Mapping[str, chess.PieceType]


@cache
def _reading(language: str, promoted: frozenset[chess.PieceType | None]) -> _Reading:
    """Return the letters of ``language``; ``promoted`` are the promotion pieces.

    Figurines are always understood, and English letters unless they mean a piece in the language. The letter that a
    language has for pawns may be both: pawns' letters are not usually written, but a text that has one must not move a
    bishop.
    """
    own = PIECE_LETTERS[language]
    pieces: dict[str, tuple[chess.PieceType, ...]] = {}
    promotions = {letter.casefold(): piece for piece, letter in ENGLISH.items() if piece in promoted}
    for letters in (PIECE_LETTERS[FIGURINE], ENGLISH, own):
        for piece, letter in letters.items():
            if piece == chess.PAWN:
                pieces[letter] = (piece, *(other for other in pieces.get(letter, ()) if other != piece))
            else:
                pieces[letter] = (piece,)
            if piece in promoted:
                promotions[letter] = piece
    return _made(pieces, promotions)


@cache
def _lowered(language: str, promoted: frozenset[chess.PieceType | None]) -> tuple[_Reading, _Reading]:
    """Return the same for lower-case texts: with piece letters, and without any.

    The lower-case letters of the wire give way to those of the language.
    """
    _, pieces, promotions = _reading(language, promoted)
    low = {letter: piece for letter, piece in promotions.items() if letter.islower()}
    low |= {letter.lower(): piece for letter, piece in promotions.items() if not letter.islower()}
    return _made({letter.lower(): kinds for letter, kinds in pieces.items()}, low), _made({}, low)


def _made(pieces: Mapping[str, tuple[chess.PieceType, ...]], promotions: Mapping[str, chess.PieceType]) -> _Reading:
    pattern = re.compile(
        rf"(?P<piece>{_any(pieces)})?(?P<from_file>[a-h])?(?P<from_rank>[1-8])?[-x]?(?P<to>[a-h][1-8])"
        rf"(?:[=/(]?(?P<promotion>{_any(promotions)})\)?)?"
    )
    return _Reading(pattern, pieces, promotions)


def _any(letters: Mapping[str, object]) -> str:
    """Return a pattern for any of ``letters``; if there are none, one that never matches."""
    return "|".join(sorted(map(re.escape, letters), key=len, reverse=True)) or "(?!)"


def parse_move(board: chess.Board, text: str, laws: Laws, language: str = "en", *, any_case: bool = False) -> MoveText:
    """Return the legal move of ``board`` that ``text`` names.

    Args:
        board: the position, a board of ``laws``.
        text: standard or long algebraic notation in the letters of ``language`` or with figurines, wire notation, ICCF
            numeric notation, or an announcement in German or English.
        language: a key of ``PIECE_LETTERS``; others raise ``KeyError``.
        any_case: ignore case if the text as it stands is not a legal move: ``nf3``, ``NF3``. For typed text only.

    Raises ``InvalidMove`` if no notation can read the text, ``AmbiguousMove`` if it fits several legal moves, and their
    base class ``IllegalMove`` if it fits none.
    """
    promoted = frozenset(laws.promotions.values())
    reading = _reading(language, promoted)
    if len(text) > MAX_TEXT:
        raise InvalidMove(f"not a move: {len(text)} characters, expected at most {MAX_TEXT}")
    # Text from a program is ASCII and needs no normalisation.
    spelled = text.replace(":", "x") if text.isascii() else unicodedata.normalize("NFC", text).translate(_SPELLINGS)
    bare, offers_draw = _strip_marks(_NUMBER.sub("", "".join(spelled.split()), count=1))
    described = _algebraic(bare, reading)
    if described is None:
        spoken = parse_announcement(text.rstrip().removesuffix(_DRAW))
        described = None if spoken is None else _algebraic(spoken, _reading("en", promoted))
    try:
        if described is None:
            raise InvalidMove(f"{text!r} is not a move; expected something like 'Nf3', 'g1-f3' or 'e8=Q'")
        move = find_move(board, described, text, laws)
    except AmbiguousMove:
        raise
    except IllegalMove:
        readings = list(_in_any_case(bare.lower(), language, promoted)) if any_case else []
        found = find_any(board, readings, text)
        if found is None and (described is not None or not readings):
            raise
        if found is None:
            raise IllegalMove(f"{text}: no piece of the side to move can make this move") from None
        move = found
    return MoveText(move.uci(), offers_draw)


def _strip_marks(text: str) -> tuple[str, bool]:
    """Return ``text`` without the marks after the move, and whether they offer a draw."""
    offers_draw = False
    while (match := _MARKS.search(text)) is not None:
        offers_draw |= match[0] == _DRAW
        text = text[: match.start()]
    return text, offers_draw


def _algebraic(text: str, reading: _Reading) -> PartialMove | Castling | None:
    castling = _CASTLING.fullmatch(text)
    if castling is not None:
        return Castling(kingside=castling[1] is None)
    if _NAMED_TWICE.match(text) is not None:
        return None
    return _pawn_takes(text) or _by_squares(text, reading)


def _in_any_case(low: str, language: str, promoted: frozenset[chess.PieceType | None]) -> Iterator[PartialMove]:
    """Yield all readings of ``low`` regardless of case: the pawn of the file ``b``, or the bishop."""
    takes = _pawn_takes(low)
    if takes is not None:
        yield takes
    for reading in _lowered(language, promoted):
        described = _by_squares(low, reading)
        if described is not None:
            yield described


def _pawn_takes(text: str) -> PartialMove | None:
    takes = _PAWN_TAKES.fullmatch(text)
    return None if takes is None else PartialMove((chess.PAWN,), _file(takes[1]), _file(takes[2]), None)


def _by_squares(text: str, reading: _Reading) -> PartialMove | None:
    """Return the reading of a text that has at least the destination square."""
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
        # Two squares identify any piece's move; a pawn needs only its file.
        pieces = tuple(chess.PIECE_TYPES) if from_mask.bit_count() == 1 else (chess.PAWN,)
    promotion = None if match["promotion"] is None else reading.promotions[match["promotion"]]
    return PartialMove(pieces, from_mask, chess.BB_SQUARES[chess.parse_square(match["to"])], promotion)


def _file(name: str) -> chess.Bitboard:
    return chess.BB_FILES[chess.FILE_NAMES.index(name)]
