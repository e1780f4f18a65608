# ruff: noqa: RUF001 - Greek and Cyrillic letters are meant as such
"""Piece letters of each language (Article C.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess

if TYPE_CHECKING:
    from collections.abc import Mapping

FIGURINE = "figurine"
"""The language code of figurines (recommended by C.3 for print): outlined pieces for both sides."""

_TABLE = {
    # The PGN standard, section 17, in its order of letters: pawn, knight, bishop, rook, queen, king.
    "cs": "P J S V D K",
    "da": "B S L T D K",
    "de": "B S L T D K",
    "en": "P N B R Q K",
    "es": "P C A T D R",
    "et": "P R O V L K",
    "fi": "P R L T D K",
    "fr": "P C F T D R",
    "hu": "G H F B V K",
    "is": "P R B H D K",
    "it": "P C A T D R",
    "nl": "O P L T D K",
    "no": "B S L T D K",
    "pl": "P S G W H K",
    "pt": "P C B T D R",
    "ro": "P C N T D R",
    "sv": "B S L T D K",
    # By Article C.3 the first letters of the names. A king has two letters if its name begins like the knight's.
    "bg": "П К О Т Д Ц",  # пешка, кон, офицер, топ, дама, цар
    "ca": "P C A T D R",  # peó, cavall, alfil, torre, dama, rei
    "el": "Σ Ι Α Π Β Ρ",  # στρατιώτης, ίππος, αξιωματικός, πύργος, βασίλισσα, ρήγας
    "hr": "P S L T D K",  # pješak, skakač, lovac, top, dama, kralj
    "lt": "P Ž R B V K",  # pėstininkas, žirgas, rikis, bokštas, valdovė, karalius
    "lv": "B Z L T D K",  # bandinieks, zirgs, laidnis, tornis, dāma, karalis
    "ru": "П К С Л Ф Кр",  # пешка, конь, слон, ладья, ферзь, король
    "sk": "P J S V D K",  # pešiak, jazdec, strelec, veža, dáma, kráľ
    "sl": "P S L T D K",  # kmet (as in English: K is the king), skakač, lovec, trdnjava, dama, kralj
    "tr": "P A F K V Ş",  # piyon, at, fil, kale, vezir, şah
    "uk": "П К С Т Ф Кр",  # пішак, кінь, слон, тура, ферзь, король
    FIGURINE: "♙ ♘ ♗ ♖ ♕ ♔",
}

PIECE_LETTERS: Mapping[str, Mapping[chess.PieceType, str]] = {
    language: dict(zip(chess.PIECE_TYPES, letters.split(" "), strict=True)) for language, letters in _TABLE.items()
}
"""Letter of each piece type by ISO 639-1 code, and by ``figurine``. Pawns' letters are for input and for lists of
pieces; moves are written without them."""

ENGLISH = PIECE_LETTERS["en"]

_ENGLISH_TYPES = {letter: piece for piece, letter in ENGLISH.items()}


def format_local(san: str, language: str) -> str:
    """Return ``san``, which is in English, in the letters of ``language``. Raises ``KeyError`` for an unknown
    language."""
    letters = PIECE_LETTERS[language]
    move, equals, promotion = san.partition("=")
    first = _ENGLISH_TYPES.get(move[:1])
    if first is not None:
        move = letters[first] + move[1:]
    if equals:
        promotion = letters[_ENGLISH_TYPES[promotion[0]]] + promotion[1:]
    return f"{move}{equals}{promotion}"
