"""Every game this server knows, by family and variant. A new variant is one more line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.chess.chess960 import Chess960
from game_core.chess.standard import Standard
from game_core.errors import UnknownVariant

if TYPE_CHECKING:
    from game_core.rules import Rules

_ALL: tuple[Rules, ...] = (Standard(), Chess960())

_BY_NAME: dict[tuple[str, str], Rules] = {(rules.game, rules.variant): rules for rules in _ALL}


def rules_for(game: str, variant: str) -> Rules:
    """The rules of ``variant`` of ``game``. Raises ``UnknownVariant``."""
    try:
        return _BY_NAME[game, variant]
    except KeyError:
        raise UnknownVariant(f"no rules for {game!r} / {variant!r}; see registered()") from None


def registered() -> tuple[tuple[str, str], ...]:
    """All (game, variant) names there are, in the order in which they are to be offered."""
    return tuple(_BY_NAME)
