"""The word filter of chat: a port, the filter that lets everything pass, and one that reads a list of words.

A list is a text file in UTF-8 with a word a line; ``#`` begins a comment. A word counts however it is written in upper
and lower case, with or without accents, and only as a whole: ``ass`` does not touch ``class``. ``word*`` is every word
that begins so.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_WORDS = 100_000
"""Longer than any list in use; a file that is none at all is noticed."""

_WITHIN = "\u00ad\u200b-\u200d\u2060\ufeff\u0300-\u036f"
"""What can be put into a word without being seen, or drawn through it: soft hyphens, joiners, marks on letters."""

_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_WITHIN}])*")
"""Letters and digits of any script. What else joins two words, an underscore too, ends both."""

_NOT_SEEN = re.compile(f"[{_WITHIN}]")


class BadWords(ValueError):
    """A list of words that cannot be used; the message says where."""


class WordFilter(Protocol):
    """What chat asks before a line is shown."""

    def mask(self, line: str) -> str:
        """``line`` as it may be shown, no longer than it was."""


class EveryWord:
    """Lets everything pass."""

    def mask(self, line: str) -> str:
        """``line`` as it is."""
        return line


class WordList:
    """Puts asterisks for the words of a list.

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
        """``line`` with an asterisk for each character of a listed word."""
        return _WORD.sub(lambda found: "*" * len(found[0]) if self._is_listed(found[0]) else found[0], line)

    def _is_listed(self, word: str) -> bool:
        folded = _folded(word)
        return folded in self._words or any(folded[:length] in self._beginnings for length in self._lengths)


def read_words(text: str) -> WordList:
    """The filter of a file's ``text``.

    Raises:
        BadWords: a line is more than one word, or there are too many.
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
    """Without case and accents, and letters of other widths and styles as the plain ones."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return _NOT_SEEN.sub("", "".join(letter for letter in letters if not unicodedata.combining(letter))).casefold()
