"""Tokens of scores with their positions, from text in chunks of any size (PGN standard, section 7).

Only an unfinished token is kept, and each kind has a maximum length: hostile input is refused as soon as it exceeds it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_TAG = 5_000
"""Characters of a tag pair with brackets and name. The standard's lines end at 255; names of events do not."""

MAX_COMMENT = 50_000
"""Characters of one comment: about ten pages of a book."""

MAX_SYMBOL = 120
"""Characters of any other token: the longest move is a capture of draughts with all landing squares."""

Kind = Literal["tag", "symbol", "nag", "open", "close", "comment", "draw", "result", "bad"]

_LONGEST = {"{": MAX_COMMENT, ";": MAX_COMMENT, "%": MAX_COMMENT}

_AHEAD = len("1/2-1/2") + 1
"""Characters needed to tell which token begins, and whether a short one ends."""

GLYPH = r"[!?]{1,2} | \+- | -\+ | \+/- | -/\+ | \+/= | =/\+ | \+= | =\+ | [=∞±∓⩲⩱□]"
"""Annotators' signs, for grammars."""


class Grammar(NamedTuple):
    """The tokens of one game's scores."""

    token: re.Pattern[str]
    """Any token but a tag. Its groups: ``skip``, ``result``, ``draw``, ``symbol`` for moves, ``nag``, ``glyph``,
    ``open``, ``close``, ``comment``, ``rest`` for a comment to the end of the line."""
    number: re.Pattern[str]
    """Symbols that are move numbers, without their points."""
    results: Mapping[str, str]
    """The results by their written forms."""
    ends_late: int
    """Number of characters after a symbol that may belong to it."""
    escapes_anywhere: bool = False
    """Whether a percent sign hides the rest of a line wherever it stands, and not only at its beginning."""
    unreadable: Mapping[str, str] = {}
    """Known but unsupported constructs by their first characters."""


_ESCAPED_LINE = re.compile(r"(?P<skip>%[^\n]*\n)")
"""Other programs' data (PGN standard, section 6); in PDN a comment."""

_TAG = re.compile(r'\[\s*(?P<name>[A-Za-z0-9]\w*)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]', re.ASCII)

_PART_OF_TAG = re.compile(r'\[\s*(?:[A-Za-z0-9]\w*\s*(?:"(?:[^"\\\n]|\\.)*\\?(?:"\s*)?)?)?', re.ASCII)

_SLOPPY_TAG = re.compile(r'\[\s*(?P<name>[A-Za-z0-9]\w*)\s*"(?P<value>[^\n]*)"[ \t]*\][ \t]*\n', re.ASCII)
"""With unescaped quotation marks in the value."""

_TAG_BEGINS = re.compile(r'[ \t]*\[[ \t]*[A-Za-z0-9]\w*[ \t]*"', re.ASCII)

_ESCAPED = re.compile(r'\\(["\\])')


class Token(NamedTuple):
    """A token of a game. Blanks, move numbers and escaped lines are filtered out."""

    kind: Kind
    text: str
    """Content: the inside of a comment, the number of a glyph, the value of a tag, the fault of a ``bad`` token."""
    line: int
    column: int
    name: str = ""
    """Name of a tag; also set if a ``bad`` token would have been a tag."""


class Tokens:
    """A scanner. Feed it and take what there is; at the end close it and take the rest."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._buffer = ""
        self._at = 0
        self._line = 1
        self._line_at = 0  # index in the buffer of the beginning of the line; negative if that is gone
        self._carriage = False  # after a carriage return a line feed ends the same line
        self._closed = False
        self._until = ""  # characters one of which the present token needs; empty if it only needs more
        self._kept: list[str] = []  # chunks since then without any: a token in many chunks is scanned once
        self._kept_size = 0
        self._skipping: Literal["", "line", "tags", "moves"] = ""  # what is being skipped after an error
        self._skipped_from: Literal["tags", "moves"] = "moves"

    def feed(self, text: str) -> None:
        """Add input. All line endings are understood."""
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
        """Note the end of the input."""
        self._until = ""
        self.feed("\n")
        self._closed = True

    def here(self) -> Token:
        """An empty token at the position of the next one."""
        return self._token("result", "")

    def skip_game(self, *, in_tags: bool) -> None:
        """Skip the rest of a game with an error, in its tags or after them.

        Lines are skipped up to one that begins a tag pair; after an error in the tags, one that follows moves.
        """
        self._skipped_from = "tags" if in_tags else "moves"
        self._skipping = "line"

    def take(self) -> Iterator[Token]:
        """Yield all complete tokens. After a ``bad`` token call ``skip_game`` before the next."""
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
        """Return a token other than a tag, if it matters, and where it ends; None if more input may change that."""
        end = self._at + _LONGEST.get(begin, MAX_SYMBOL) + 2
        grammar = self._grammar
        escaped = begin == "%" and (grammar.escapes_anywhere or self._at == self._line_at)
        match = (_ESCAPED_LINE if escaped else grammar.token).match(self._buffer, self._at, end)
        if match is None:
            if begin in "{;" or escaped:
                if len(self._buffer) >= end:
                    return self._bad(f"longer than {MAX_COMMENT} characters")
                if self._closed:
                    return self._bad("this comment is not closed")
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
        """Return the tag pair and where it ends; None if it is incomplete."""
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
        """Skip a line, or see that it is not to be skipped. False if more input is needed."""
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
"""Annotators' signs and their numbers (PGN standard, section 10)."""
