"""A PDN game under construction while its score is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from game_core.draughts.notation.pdn_game import DERIVED_TAGS, PdnGame
from game_core.draughts.notation.pdn_grammar import GRAMMAR
from game_core.draughts.notation.pdn_squares import Squares, plain
from game_core.draughts.notation.pdn_types import GAME_TYPES, parse_game_type
from game_core.errors import BadPosition
from game_core.registry import registered, rules_for
from game_core.scores.game_builder import Fault, GameBuilder, ReadMove

if TYPE_CHECKING:
    from game_core.rules import Position, Rules
    from game_core.scores.lines import Line
    from game_core.scores.tokens import Token

CHESS = "san"
"""The notation of games that have no PDN."""

_NUMBER = re.compile(r"[0-9]{1,2}", re.ASCII)

_LETTERED = re.compile(r"[a-h][1-8]", re.ASCII)

_SMALL = 32
"""Number of dark squares on a board of 64."""

_FIRST_MEN = {"english": range(9, 13), "italian": range(21, 25)}
"""Squares of the men that can move first, by variant. In the international game they are 31 to 35."""


class PdnBuilder(GameBuilder["Position | None", PdnGame]):
    """One game. Which one says ``GameType``, or ``Variant`` by one of our names; else the form of the result, the
    squares of the position or those of the first move: until that comes there is no position.
    """

    grammar = GRAMMAR
    derived_tags = DERIVED_TAGS

    def __init__(self) -> None:
        super().__init__()
        self._rules: Rules | None = None
        self._squares: Squares | None = None
        self._fen: str | None = None

    def _open(self) -> Position | None:
        if self._value("SetUp") == "1" and "FEN" not in self._tags:
            raise Fault("the tag SetUp announces a FEN, but there is none", self._tags["SetUp"])
        variant, game_type = self._tags.get("Variant"), self._tags.get("GameType")
        rules = None if variant is None else variant_called(variant.text)
        if rules is None and game_type is not None:
            try:
                rules = rules_for("draughts", parse_game_type(game_type.text))
            except ValueError as error:
                raise Fault(str(error), game_type) from error
        if rules is None and variant is not None:
            raise Fault(f"the variant {variant.text[:80]!r} is not known", variant)
        if rules is None and (guessed := self._guess_by_tags()) is not None:
            rules = rules_for("draughts", guessed)
        if rules is None:
            return None
        self._is_of(rules)
        return self._start(rules)

    def _is_of(self, rules: Rules) -> None:
        self._rules = rules
        self._squares = _SQUARES.get(rules.variant)

    def _start(self, rules: Rules) -> Position:
        """Return the start position. Raises ``Fault``."""
        fen = self._tags.get("FEN")
        if fen is None:
            return rules.start(None)
        try:
            position = rules.start(self._squares.fen(fen.text) if self._squares is not None else fen.text)
        except BadPosition as error:
            raise Fault(str(error), fen) from error
        begins = rules.fen(position)
        self._fen = None if begins == rules.fen(rules.start(None)) else begins
        return position

    def _play(self, place: Position | None, token: Token) -> ReadMove[Position | None]:
        if self._rules is None:
            self._is_of(rules_for("draughts", self._guess_by_move(token.text)))
        assert self._rules is not None
        position = self._start(self._rules) if place is None else place
        text = plain(token.text) if self._squares is None else self._squares.move(token.text)
        played = self._rules.play(position, text)
        return ReadMove(played.move, played.notation, played.position)

    def _close(self, tags: dict[str, str], line: Line, result: str) -> PdnGame:
        if self._rules is None:
            self._is_of(rules_for("draughts", self._guess_by_move("")))
            assert self._rules is not None
            self._start(self._rules)
        return PdnGame(tags, self._rules.game, self._rules.variant, self._fen, line, result)

    def _guess_by_tags(self) -> str | None:
        if self._value("Result") in ("2-0", "1-1", "0-2"):
            return "international"
        squares = self._value("FEN").partition(":")[2]
        if any(int(number) > _SMALL for number in _NUMBER.findall(squares)):
            return "international"
        return None

    def _guess_by_move(self, text: str) -> str:
        fen = self._value("FEN")
        if text[:1].isalpha() or _LETTERED.search(fen):
            return "russian"
        if fen:
            return "english"
        first = next(map(int, _NUMBER.findall(text)), 0)
        return next((variant for variant, men in _FIRST_MEN.items() if first in men), "international")


def variant_tag(rules: Rules) -> str:
    """Return the ``Variant`` tag of games without a ``GameType``: ``classic``, ``chinese-checkers/ten``."""
    return rules.variant if rules.game == "draughts" else f"{rules.game}/{rules.variant}"


def variant_called(tag: str) -> Rules | None:
    """Return the rules that ``tag`` names in our terms, ignoring case and any signs between letters."""
    return _BY_TAG.get(_bare(tag))


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


_SQUARES = {variant: Squares(game_type) for variant, game_type in GAME_TYPES.items()}

_BY_TAG = {
    _bare(variant_tag(rules)): rules
    for rules in (rules_for(game, variant) for game, variant in registered())
    if rules.notation != CHESS
}
