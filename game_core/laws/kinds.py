"""Kinds of play by the Laws: standard, rapid (Appendix A) and blitz (Appendix B)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from game_core.time_control import TimeControl

Kind = Literal["blitz", "rapid", "standard"]

BLITZ_BELOW_S = 15 * 60
"""B1: less than 15 minutes for each player, or base and 60 increments below that."""

RAPID_BELOW_S = 60 * 60
"""A1: at least 15 and less than 60 minutes."""

ESTIMATED_MOVES = 60
"""Length of a game that the Laws assume. The server's own speeds assume 40 moves."""


def kind_of(tc: TimeControl | None) -> Kind:
    """Return the kind of a game under ``tc``; without a clock it is ``standard``."""
    if tc is None:
        return "standard"
    estimated_s = tc.estimate_s(ESTIMATED_MOVES)
    if estimated_s < BLITZ_BELOW_S:
        return "blitz"
    return "rapid" if estimated_s < RAPID_BELOW_S else "standard"
