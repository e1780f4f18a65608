"""Registry of all games by family and variant. A new variant is one more line in its family's ``variants``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.chess.variants import VARIANTS as CHESS
from game_core.chinese_checkers.fifteen import FIFTEEN
from game_core.chinese_checkers.ten import TEN
from game_core.draughts.laws import backwards
from game_core.draughts.rules import Draughts
from game_core.draughts.variants import VARIANTS as DRAUGHTS
from game_core.errors import UnknownProfile, UnknownVariant

if TYPE_CHECKING:
    from game_core.rules import Rules

_ALL: tuple[Rules, ...] = (
    *CHESS,
    *(Draughts(laws) for laws in DRAUGHTS),
    *(Draughts(backwards(laws)) for laws in DRAUGHTS),
    FIFTEEN,
    TEN,
)

USUAL = ("chess", "standard")
"""Family and variant of the usual game, which is named by its speed alone."""

_BY_NAME: dict[tuple[str, str], Rules] = {(rules.game, rules.variant): rules for rules in _ALL}


def rules_for(game: str, variant: str, profile: str | None = None) -> Rules:
    """Return the rules of ``variant`` of ``game`` under ``profile``; None: the usual one.

    Raises:
        UnknownVariant: there are none; the message begins with the wrong field, ``game`` or ``variant``.
        UnknownProfile: the variant does not have this profile.
    """
    rules = _BY_NAME.get((game, variant))
    if rules is None:
        known = variants_of(game)
        if not known:
            raise UnknownVariant(f"game: expected one of {', '.join(games())}, got {game!r}")
        raise UnknownVariant(f"variant: for {game} expected one of {', '.join(known)}, got {variant!r}")
    if profile is None:
        return rules
    if profile not in rules.profiles:
        raise UnknownProfile(f"{variant} is played by {', '.join(rules.profiles)}, not by {profile!r}")
    return rules.under(profile)


def registered() -> tuple[tuple[str, str], ...]:
    """Return all (game, variant) names in the order in which they are offered."""
    return tuple(_BY_NAME)


def games() -> tuple[str, ...]:
    """Return the families in the order in which they are offered."""
    return tuple(dict.fromkeys(game for game, _ in _BY_NAME))


def variants_of(game: str) -> tuple[str, ...]:
    """Return the variants of a family in the order in which they are offered; none of an unknown one."""
    return tuple(variant for family, variant in _BY_NAME if family == game)
