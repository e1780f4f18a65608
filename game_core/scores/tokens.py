"""The text of scores, in pieces of any size, to tokens (PGN standard, section 7), with where they stand.

Nothing is kept but an unfinished token, and each kind has a longest: hostile input is refused as soon as it is longer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_TAG = 5_000
"""Characters of a tag pair, brackets and name included. The standard's lines end at 255; names of events do not."""

MAX_COMMENT = 50_000
"""Characters of one comment: some ten pages of a book."""

MAX_SYMBOL = 120
"""Characters of anything else: the longest move is a capture of draughts with all the squares where it lands."""

Kind = Literal["tag", "symbol", "nag", "open", "close", "comment", "draw", "result", "bad"]

_LONGEST = {"{": MAX_COMMENT, ";": MAX_COMMENT, "%": MAX_COMMENT}

_AHEAD = len("1/2-1/2") + 1
"""Characters that tell which token begins, and whether a short one ends."""

GLYPH = r"[!?]{1,2} | \+- | -\+ | \+/- | -/\+ | \+/= | =/\+ | \+= | =\+ | [=∞±∓⩲⩱□]"
"""The signs of annotators, for grammars."""


class Grammar(NamedTuple):
    """What words the scores of one game are made of."""

    token: re.Pattern[str]
    """Any token but a tag. Its groups: ``skip``, ``result``, ``draw``, ``symbol`` for moves, ``nag``, ``glyph``,
    ``open``, ``close``, ``comment``, ``rest`` for a comment to the end of the line."""
    number: re.Pattern[str]
    """Symbols that are the numbers of moves, without their points."""
    results: Mapping[str, str]
    """How results are written, and which they are."""
    ends_late: int
    """Characters after a symbol that may belong to it."""
    escapes_anywhere: bool = False
    """Whether a percent sign hides what follows on a line wherever it stands, rather than only where a line begins."""
    unreadable: Mapping[str, str] = {}
    """What is meant, and cannot be read, where a token begins so."""


_ESCAPED_LINE = re.compile(r"(?P<skip>%[^\n]*\n)")
"""Other programs' data (PGN standard, section 6); in PDN a comment."""

_TAG = re.compile(r'\[\s*(?P<name>[A-Za-z0-9]\w*)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]', re.ASCII)

_PART_OF_TAG = re.compile(r'\[\s*(?:[A-Za-z0-9]\w*\s*(?:"(?:[^"\\\n]|\\.)*\\?(?:"\s*)?)?)?', re.ASCII)

_SLOPPY_TAG = re.compile(r'\[\s*(?P<name>[A-Za-z0-9]\w*)\s*"(?P<value>[^\n]*)"[ \t]*\][ \t]*\n', re.ASCII)
"""With quotation marks in the value that nobody escaped."""

_TAG_BEGINS = re.compile(r'[ \t]*\[[ \t]*[A-Za-z0-9]\w*[ \t]*"', re.ASCII)

_ESCAPED = re.compile(r'\\(["\\])')


class Token(NamedTuple):
    """A token that matters to a game; blanks, numbers of moves and escaped lines do not come this far."""

    kind: Kind
    text: str
    """What it says: of a comment the inside, of a glyph its number, of a tag the value, of ``bad`` what is wrong."""
    line: int
    column: int
    name: str = ""
    """Of a tag; something too where a ``bad`` token would have been one."""


class Tokens:
    """A scanner: feed it, then take what there is; in the end close it, and take the rest."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._buffer = ""
        self._at = 0
        self._line = 1
        self._line_at = 0  # index in the buffer of where the line begins; negative when that is gone
        self._carriage = False  # whether a carriage return came last: a line feed after it ends the same line
        self._closed = False
        self._until = ""  # the characters one of which the token at hand needs; none if it needs just more
        self._kept: list[str] = []  # what came since then without any: a token in a thousand pieces is scanned once
        self._kept_size = 0
        self._skipping: Literal["", "line", "tags", "moves"] = ""  # what is being passed over after something bad
        self._skipped_from: Literal["tags", "moves"] = "moves"

    def feed(self, text: str) -> None:
        """Take more input. Every way to end a line is understood."""
        if self._carriage and text:
            text = text.removeprefix("\n")
            self._carriage = False
        self._carriage |= text.endswith("\r")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._kept.append(text)
        self._kept_size += len(text)
        if self._until and self._kept_size < MAX_COMMENT and not any(char in text for char in self._until):
            return
        self._line_at -= self._at
        self._buffer = self._buffer[self._at :] + "".join(self._kept)
        self._at = 0
        self._kept.clear()
        self._kept_size = 0
        self._until = ""

    def close(self) -> None:
        """There is no more input."""
        self._until = ""
        self.feed("\n")
        self._closed = True

    def here(self) -> Token:
        """A token without text where the next one begins."""
        return self._token("result", "")

    def skip_game(self, *, in_tags: bool) -> None:
        """Pass over what is left of a game in which something was wrong, among its tags or after them.

        Lines are passed over up to one that begins a tag pair; after a fault in the tags, one past the moves.
        """
        self._skipped_from = "tags" if in_tags else "moves"
        self._skipping = "line"

    def take(self) -> Iterator[Token]:
        """All that is complete. After a ``bad`` token, call ``skip_game`` before the next."""
        while self._at < len(self._buffer) and not self._kept:
            if self._skipping:
                if not self._skip():
                    return
                continue
            if len(self._buffer) - self._at < _AHEAD and not self._closed:
                return
            begin = self._buffer[self._at]
            found = self._next_tag() if begin == "[" else self._next(begin)
            if found is None:
                return
            token, end = found
            self._advance(end)
            if token is not None:
                yield token

    def _next(self, begin: str) -> tuple[Token | None, int] | None:
        """The token that is no tag, if it matters, and where it ends; None if more input may change that."""
        end = self._at + _LONGEST.get(begin, MAX_SYMBOL) + 2
        grammar = self._grammar
        escaped = begin == "%" and (grammar.escapes_anywhere or self._at == self._line_at)
        match = (_ESCAPED_LINE if escaped else grammar.token).match(self._buffer, self._at, end)
        if match is None:
            if begin in "{;" or escaped:
                if len(self._buffer) >= end:
                    return self._bad(f"longer than {MAX_COMMENT} characters")
                if self._closed:
                    return self._bad("a comment that is not closed")
                self._until = "}" if begin == "{" else "\n"
                return None
            return self._bad(grammar.unreadable.get(begin, f"unexpected {begin!r}"))
        kind = match.lastgroup
        assert kind is not None
        text = match[kind]
        if kind in ("symbol", "nag"):
            if match.end() >= end:
                return self._bad(f"longer than {MAX_SYMBOL} characters")
            if len(self._buffer) - match.end() < grammar.ends_late and not self._closed:
                return None
        if kind == "skip" or (kind == "symbol" and grammar.number.fullmatch(text)):
            return None, match.end()
        if kind == "result":
            text = grammar.results[text]
        elif kind == "glyph":
            text = _GLYPHS[text.strip("()")]
        return self._token(_KINDS[kind], text), match.end()

    def _next_tag(self) -> tuple[Token, int] | None:
        """The tag pair and where it ends; None if it goes on in input to come."""
        end = self._at + MAX_TAG
        match = _TAG.match(self._buffer, self._at, end)
        if match is None:
            if len(self._buffer) < end and not self._closed:
                part = _PART_OF_TAG.match(self._buffer, self._at)
                unfinished = part is not None and part.end() == len(self._buffer)
                if unfinished or "\n" not in self._buffer[self._at :]:
                    self._until = "]\n"
                    return None
            match = _SLOPPY_TAG.match(self._buffer, self._at, end)
        if match is None:
            return self._bad(f'not a tag pair of at most {MAX_TAG} characters; expected [White "Ada"] or so', "?")
        value = _ESCAPED.sub(r"\1", match["value"])
        if not value.isprintable():
            value = "".join(char if char.isprintable() else " " for char in value)
        return self._token("tag", value, match["name"]), match.end()

    def _token(self, kind: Kind, text: str, name: str = "") -> Token:
        return Token(kind, text, self._line, self._at - self._line_at + 1, name)

    def _bad(self, reason: str, name: str = "") -> tuple[Token, int]:
        return self._token("bad", reason, name), self._at

    def _advance(self, to: int) -> None:
        lines = self._buffer.count("\n", self._at, to)
        if lines:
            self._line += lines
            self._line_at = self._buffer.rindex("\n", self._at, to) + 1
        self._at = to

    def _skip(self) -> bool:
        """Pass over a line, or see that one is not to be. False if more input is needed to know."""
        ends = self._buffer.find("\n", self._at)
        after = len(self._buffer) if ends < 0 else ends + 1
        if self._skipping == "line":
            self._advance(after)
            if ends >= 0:
                self._skipping = self._skipped_from
            return True
        if ends < 0 and after - self._at < MAX_SYMBOL:
            return False
        if _TAG_BEGINS.match(self._buffer, self._at, after):
            if self._skipping == "moves":
                self._skipping = ""
                return True
        elif not self._buffer[self._at : after].isspace():
            self._skipped_from = "moves"
        self._skipping = "line"
        return True


_KINDS: dict[str, Kind] = {
    "symbol": "symbol",
    "nag": "nag",
    "glyph": "nag",
    "open": "open",
    "close": "close",
    "comment": "comment",
    "rest": "comment",
    "draw": "draw",
    "result": "result",
}

_GLYPHS = (
    {"!": "1", "?": "2", "!!": "3", "??": "4", "!?": "5", "?!": "6"}
    | {"□": "7", "=": "10", "∞": "13", "⩲": "14", "+=": "14", "+/=": "14", "⩱": "15", "=+": "15", "=/+": "15"}
    | {"±": "16", "+/-": "16", "∓": "17", "-/+": "17", "+-": "18", "-+": "19"}
)
"""Signs of annotators and their numbers (PGN standard, section 10)."""
