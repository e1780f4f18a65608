"""Spoken moves, for players who do not see the board (Appendix E, E.2.1).

The article names files, ranks, pieces and castling "instead of the algebraic notation". An announcement has the parts
of that notation in the same order, with the promotion piece. The names of the files are the same in English. The words
for captures, check and mate are ours.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from game_core.chess.notation.san_parts import parse_san

if TYPE_CHECKING:
    from collections.abc import Mapping

FILES = dict(zip("abcdefgh", ["Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector"], strict=True))


class Language(NamedTuple):
    """The words of one language."""

    sides: Mapping[str, str]
    """The side that moved, spoken first."""
    pieces: Mapping[str, str]
    """By English letter."""
    ranks: Mapping[str, str]
    castling: Mapping[str, str]
    takes: str
    marks: Mapping[str, str]


LANGUAGES = {
    "de": Language(  # the article's own words
        sides={"w": "Weiß", "b": "Schwarz"},
        pieces={"K": "König", "Q": "Dame", "R": "Turm", "B": "Läufer", "N": "Springer", "P": "Bauer"},
        ranks=dict(zip("12345678", ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"], strict=True)),
        castling={"O-O": "kurze Rochade", "O-O-O": "lange Rochade"},
        takes="schlägt",
        marks={"": "", "+": ", Schach", "#": ", Schachmatt"},
    ),
    "en": Language(
        sides={"w": "White", "b": "Black"},
        pieces={"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"},
        ranks=dict(zip("12345678", ["one", "two", "three", "four", "five", "six", "seven", "eight"], strict=True)),
        castling={"O-O": "short castling", "O-O-O": "long castling"},
        takes="takes",
        marks={"": "", "+": ", check", "#": ", checkmate"},
    ),
}

MAX_WORDS = 16
"""More than any announcement has: piece, two squares, capture, promotion and check."""

UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue"}

_UMLAUTS = str.maketrans(UMLAUTS)

_SHORT, _LONG, _CASTLING = "s", "l", "o"

_MEANS = {
    **{name.casefold(): file for file, name in FILES.items()},
    **{word: symbol for words in LANGUAGES.values() for symbol, word in words.ranks.items()},
    **{word.casefold(): symbol for words in LANGUAGES.values() for symbol, word in words.pieces.items()},
    **dict.fromkeys(("takes", "captures", "schlägt", "nimmt"), "x"),
    **dict.fromkeys(("from", "to", "on", "promotes", "becomes", "en", "passant", "check", "checkmate", "mate"), ""),
    **dict.fromkeys(("von", "nach", "auf", "wird", "zur", "zum", "schach", "schachmatt", "matt"), ""),
    **dict.fromkeys(("kurze", "kleine", "short", "kingside"), _SHORT),
    **dict.fromkeys(("lange", "große", "long", "queenside"), _LONG),
    **dict.fromkeys(("rochade", "castling", "castle", "castles"), _CASTLING),
    "laufer": "B",
    "konig": "K",
    "funf": "5",
    "schlagt": "x",
}

SYMBOLS: Mapping[str, str] = {word.casefold().translate(_UMLAUTS): symbol for word, symbol in _MEANS.items()}
"""Meaning of each known word in algebraic notation with English letters; empty for filler words. Words are case-folded
with umlauts expanded. ``s``, ``l`` and ``o`` make castling, by ``CASTLINGS``."""

CASTLINGS: Mapping[str, str] = {"so": "O-O", "os": "O-O", "lo": "O-O-O", "ol": "O-O-O"}

_SQUARE = re.compile(r"[a-h][1-8]|[a-h]|[1-8]")


def format_announcement(wire: str, san: str, language: str = "de") -> str:
    """Return ``Springer Felix drei`` for ``Nf3``; ``language`` is ``de``, the article's words, or ``en``.

    Raises ``ValueError`` if ``san`` is not a move and ``KeyError`` for another language.
    """
    words = LANGUAGES[language]
    parts = parse_san(san)
    mark = words.marks[parts.mark]
    if parts.castling:
        return words.castling[parts.castling] + mark
    said = [words.pieces[parts.piece], *_format_square(parts.origin, words)]
    if parts.takes:
        said.append(words.takes)
    said += _format_square(wire[2:4], words)
    if parts.promotion:
        said.append(words.pieces[parts.promotion])
    return " ".join(said) + mark


def _format_square(square: str, words: Language) -> list[str]:
    return [FILES[char] if char in FILES else words.ranks[char] for char in square]


def parse_announcement(text: str) -> str | None:
    """Return ``text`` in algebraic notation with English letters; None if it has unknown words.

    Both languages are understood, with and without umlauts, and letters and digits instead of names. Pawns have their
    letter. The result may still not be a move.
    """
    words = unicodedata.normalize("NFC", text).casefold().translate(_UMLAUTS).split()
    if len(words) > MAX_WORDS:
        return None
    symbols = ""
    for word in (word.strip(",.") for word in words):
        symbol = word if _SQUARE.fullmatch(word) else SYMBOLS.get(word)
        if symbol is None:
            return None
        symbols += symbol
    return CASTLINGS.get(symbols, symbols)
