"""The variants of chess. A new one is one more line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.chess.antichess import Antichess
from game_core.chess.chess960 import Chess960
from game_core.chess.standard import Standard

if TYPE_CHECKING:
    from collections.abc import Mapping

STANDARD = Standard()

CHESS960 = Chess960()

VARIANTS: tuple[Standard, ...] = (
    STANDARD,
    CHESS960,
    Antichess(),
)

BY_NAME: Mapping[str, Standard] = {rules.variant: rules for rules in VARIANTS}
