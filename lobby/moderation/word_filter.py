"""Word filter of chat and profiles: a Protocol, a filter that changes nothing, and one that reads a word list.

A list is a UTF-8 text file with one word a line; ``#`` begins a comment. A word matches regardless of case and
accents, and only as a whole: ``ass`` does not match ``class``. ``word*`` matches every word with that prefix.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_WORDS = 100_000
"""More than any list in use has. Detects a file that is not a word list."""

_WITHIN = "\u00ad\u200b-\u200d\u2060\ufeff\u0300-\u036f"
"""Invisible or combining characters that can be inserted in a word: soft hyphens, joiners, combining marks."""

_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_WITHIN}])*")
"""Letters and digits of any script. All other characters, including underscores, separate words."""

_NOT_SEEN = re.compile(f"[{_WITHIN}]")


class BadWords(ValueError):
    """An invalid word list. The message names the line."""


class WordFilter(Protocol):
    """Filter for lines of chat and texts of profiles."""

    def mask(self, line: str) -> str:
        """Return ``line`` as it may be shown. It does not get longer."""


class EveryWord:
    """A filter that changes nothing."""

    def mask(self, line: str) -> str:
        """Return ``line``."""
        return line


class WordList:
    """A filter that masks listed words with asterisks.

    Args:
        words: as in the file, without comments.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words: set[str] = set()
        self._beginnings: set[str] = set()
        for word in words:
            (self._beginnings if word.endswith("*") else self._words).add(_folded(word.removesuffix("*")))
        self._lengths = sorted({len(beginning) for beginning in self._beginnings})

    def mask(self, line: str) -> str:
        """Return ``line`` with an asterisk for each character of a listed word."""
        return _WORD.sub(lambda found: "*" * len(found[0]) if self._is_listed(found[0]) else found[0], line)

    def _is_listed(self, word: str) -> bool:
        folded = _folded(word)
        return folded in self._words or any(folded[:length] in self._beginnings for length in self._lengths)


def read_words(text: str) -> WordList:
    """Return the filter for the ``text`` of a file.

    Raises:
        BadWords: a line has more than one word, or there are too many lines.
    """
    words = []
    for number, line in enumerate(text.splitlines(), 1):
        word = unicodedata.normalize("NFC", line.partition("#")[0].strip())
        if not word:
            continue
        if not _WORD.fullmatch(word.removesuffix("*")):
            raise BadWords(f"line {number}: expected one word, or the beginning of one and an asterisk")
        words.append(word)
        if len(words) > MAX_WORDS:
            raise BadWords(f"line {number}: more than {MAX_WORDS} words")
    return WordList(words)


def _folded(word: str) -> str:
    """Return ``word`` without case and accents, with compatibility letters replaced by plain ones."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return _NOT_SEEN.sub("", "".join(letter for letter in letters if not unicodedata.combining(letter))).casefold()
