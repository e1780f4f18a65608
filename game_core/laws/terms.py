"""What players agree on before a game by the Laws, and its wire form."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

import msgspec

from game_core.errors import BadLawsTerms

if TYPE_CHECKING:
    from game_core.time_control import TimeControl

ALWAYS = ("fide", "uscf")
"""Profiles under which every game is by the Laws."""

LAWS_PROFILES = (*ALWAYS, "official")
"""Profiles that have articles of the Laws. A game under ``official`` follows them only if it is agreed."""

MAX_DRAW_FROM = 200

MIN_DEFAULT_S = 10
MAX_DEFAULT_S = 3600


class LawsTermsWire(TypedDict):
    """The terms on the wire. All fields may be left out of a request."""

    supervised: bool
    draw_from: int | None
    default_s: int
    score_sheet: bool


class LawsTerms(msgspec.Struct, frozen=True):
    """The terms of one game."""

    supervised: bool = True
    """``fide``: an arbiter watches, here the server (A3, B2). Otherwise the opponents rule on themselves (A4, B3)."""
    draw_from: int | None = 0
    """The own move with which one may first offer a draw (9.1), 0 and 1 are the same; None: draws are not agreed."""
    default_s: int = 60
    """Default time (6.6): who has not come by then loses."""
    score_sheet: bool = False
    """The players write their moves themselves (8)."""


_NAMES = tuple(field.name for field in msgspec.structs.fields(LawsTerms))


def parse_laws_terms(value: object, profile: str, tc: TimeControl | None) -> LawsTerms | None:
    """Parse ``laws`` of a request. None: the game is not by the Laws.

    Raises:
        BadLawsTerms: malformed, or not possible with this profile or time control. The message begins with the field.
    """
    if value is None:
        if profile not in ALWAYS:
            return None
        value = {}
    if profile not in LAWS_PROFILES:
        raise BadLawsTerms(f"laws: expected one of the rules {', '.join(LAWS_PROFILES)}, not {profile!r}")
    if tc is not None and tc.days is not None:
        raise BadLawsTerms("laws: both players must be at the board, so there is no correspondence")
    if not isinstance(value, dict) or not value.keys() <= set(_NAMES):
        raise BadLawsTerms(f"laws: expected a map of {', '.join(_NAMES)}")
    terms = LawsTerms(**value)
    for name in ("supervised", "score_sheet"):
        if not isinstance(getattr(terms, name), bool):
            raise BadLawsTerms(f"{name}: expected true or false")
    if not terms.supervised and profile != "fide":
        raise BadLawsTerms(f"supervised: {profile} has one way to play")
    if terms.draw_from is not None and not _is_within(terms.draw_from, 0, MAX_DRAW_FROM):
        raise BadLawsTerms(f"draw_from: expected 0 to {MAX_DRAW_FROM} moves, or null")
    if not _is_within(terms.default_s, MIN_DEFAULT_S, MAX_DEFAULT_S):
        raise BadLawsTerms(f"default_s: expected {MIN_DEFAULT_S} to {MAX_DEFAULT_S} seconds")
    return terms


def format_laws_terms(terms: LawsTerms) -> LawsTermsWire:
    """Return the wire form: with the profile, the inverse of ``parse_laws_terms``."""
    return {
        "supervised": terms.supervised,
        "draw_from": terms.draw_from,
        "default_s": terms.default_s,
        "score_sheet": terms.score_sheet,
    }


def _is_within(value: object, low: int, high: int) -> bool:
    # `type` and not `isinstance`: a bool is an int in Python but not in the protocol.
    return type(value) is int and low <= value <= high
