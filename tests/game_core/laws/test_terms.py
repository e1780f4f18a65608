"""Terms of games by the Laws: kinds of play, articles of each profile, and the wire form."""

from __future__ import annotations

import pytest

from game_core.errors import BadLawsTerms
from game_core.game import Setup
from game_core.laws.articles import FIDE, FIDE_A4, FIDE_B3, OFFICIAL, USCF, USCF_BLITZ, Articles, articles_of
from game_core.laws.kinds import Kind, kind_of
from game_core.laws.terms import LawsTerms, format_laws_terms, parse_laws_terms
from game_core.start import new_game
from game_core.time_control import Period, TimeControl
from tests.game_core.scene import BLITZ, DAYS


def control(base_s: int, inc_s: int = 0, delay_s: int = 0) -> TimeControl:
    return TimeControl((Period(None, base_s * 1000, inc_s * 1000),), delay_ms=delay_s * 1000)


# A1, B1: "all the moves must be made in a fixed time of at least 15 minutes but less than 60 minutes" for each player,
# "or the time allotted + 60 times any increment" is in these limits; below them it is blitz.
KINDS: dict[str, tuple[TimeControl | None, Kind]] = {
    "B1 three minutes": (control(180), "blitz"),
    "B1 3 min + 2 s": (control(180, 2), "blitz"),
    "B1 just below 15 minutes": (control(899), "blitz"),
    "B1 14 min + 1 s": (control(840, 1), "rapid"),
    "A1 15 minutes": (control(900), "rapid"),
    "A1 with a delay": (control(600, delay_s=5), "rapid"),
    "A1 just below an hour": (control(3599), "rapid"),
    "an hour": (control(3600), "standard"),
    "30 min + 30 s": (control(1800, 30), "standard"),
    "two periods": (TimeControl((Period(40, 3_000_000), Period(None, 900_000))), "standard"),
    "no clock": (None, "standard"),
}


@pytest.mark.parametrize(("tc", "kind"), KINDS.values(), ids=KINDS)
def test_kind_follows_the_time_of_sixty_moves(tc: TimeControl | None, kind: Kind) -> None:
    assert kind_of(tc) == kind


# Columns: profile, supervised, kind, articles.
ROWS: dict[str, tuple[str, bool, Kind, Articles]] = {
    "standard": ("fide", True, "standard", FIDE),
    "A3 supervised rapid": ("fide", True, "rapid", FIDE),
    "B2 supervised blitz": ("fide", True, "blitz", FIDE),
    "standard is always supervised": ("fide", False, "standard", FIDE),
    "A4 rapid": ("fide", False, "rapid", FIDE_A4),
    "B3 blitz": ("fide", False, "blitz", FIDE_B3),
    "US": ("uscf", True, "rapid", USCF),
    "US blitz": ("uscf", True, "blitz", USCF_BLITZ),
    "draughts": ("official", True, "blitz", OFFICIAL),
}


@pytest.mark.parametrize(("profile", "supervised", "kind", "articles"), ROWS.values(), ids=ROWS)
def test_articles_of_each_profile(profile: str, supervised: bool, kind: Kind, articles: Articles) -> None:
    assert articles_of(profile, LawsTerms(supervised=supervised), kind) is articles


def test_terms_are_read_from_the_wire() -> None:
    value = {"supervised": False, "draw_from": 30, "default_s": 600, "score_sheet": True}
    terms = parse_laws_terms(value, "fide", BLITZ)
    assert terms == LawsTerms(supervised=False, draw_from=30, default_s=600, score_sheet=True)
    assert terms is not None
    assert format_laws_terms(terms) == value
    assert parse_laws_terms({"draw_from": None}, "fide", None) == LawsTerms(draw_from=None)


def test_profiles_of_the_laws_have_usual_terms() -> None:
    assert parse_laws_terms(None, "fide", BLITZ) == LawsTerms()
    assert parse_laws_terms(None, "uscf", BLITZ) == LawsTerms()
    assert parse_laws_terms(None, "official", BLITZ) is None
    assert parse_laws_terms({}, "official", BLITZ) == LawsTerms()
    assert parse_laws_terms(None, "online", BLITZ) is None


# Columns: value, profile, control, message.
BAD: dict[str, tuple[object, str, TimeControl | None, str]] = {
    "another profile": ({}, "online", BLITZ, "laws: expected one of the rules fide, uscf, official, not 'online'"),
    "correspondence": (None, "fide", DAYS, "laws: .* no correspondence"),
    "no map": ([], "fide", BLITZ, "laws: expected a map of supervised, draw_from"),
    "an unknown field": ({"arbiter": 1}, "fide", BLITZ, "laws: expected a map"),
    "supervised is a number": ({"supervised": 1}, "fide", BLITZ, "supervised: expected true or false"),
    "US chess unsupervised": ({"supervised": False}, "uscf", BLITZ, "supervised: uscf has one way"),
    "score sheet is text": ({"score_sheet": "yes"}, "fide", BLITZ, "score_sheet: expected true or false"),
    "draw_from below 0": ({"draw_from": -1}, "fide", BLITZ, "draw_from: expected 0 to 200"),
    "draw_from is a truth value": ({"draw_from": True}, "fide", BLITZ, "draw_from: expected 0 to 200"),
    "default time too short": ({"default_s": 9}, "fide", BLITZ, "default_s: expected 10 to 3600"),
    "default time missing": ({"default_s": None}, "fide", BLITZ, "default_s: expected 10 to 3600"),
}


@pytest.mark.parametrize(("value", "profile", "tc", "message"), BAD.values(), ids=BAD)
def test_bad_terms_are_refused(value: object, profile: str, tc: TimeControl | None, message: str) -> None:
    with pytest.raises(BadLawsTerms, match=message):
        parse_laws_terms(value, profile, tc)


def test_games_under_these_profiles_follow_the_laws() -> None:
    fide = new_game(Setup("g", profile="fide", tc=BLITZ), 0).laws
    assert fide is not None
    assert (fide.terms, fide.articles) == (LawsTerms(), FIDE)
    assert new_game(Setup("g", tc=BLITZ), 0).laws is None
    draughts = Setup("g", "draughts", "international", profile="official", tc=BLITZ)
    assert new_game(draughts, 0).laws is None
