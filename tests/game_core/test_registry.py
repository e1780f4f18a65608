"""The registry of games."""

from __future__ import annotations

import re

import pytest

from game_core.errors import UnknownProfile, UnknownVariant
from game_core.profiles import PROFILES
from game_core.registry import games, registered, rules_for, variants_of


def test_rules_are_found_by_their_own_names() -> None:
    for game, variant in registered():
        rules = rules_for(game, variant)
        assert (rules.game, rules.variant) == (game, variant)


def test_standard_chess_is_registered_first() -> None:
    assert registered()[:3] == (("chess", "standard"), ("chess", "chess960"), ("chess", "antichess"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (("chess", "atomic"), "variant: for chess expected one of standard, chess960, antichess, got 'atomic'"),
        (("go", "standard"), "game: expected one of chess, draughts, chinese-checkers, got 'go'"),
        (("", ""), "game: expected one of chess, draughts, chinese-checkers, got ''"),
    ],
)
def test_unknown_game_or_variant_is_refused(name: tuple[str, str], text: str) -> None:
    with pytest.raises(UnknownVariant, match=f"^{re.escape(text)}$"):
        rules_for(*name)


def test_variants_are_listed_by_game() -> None:
    assert registered() == tuple((game, variant) for game in games() for variant in variants_of(game))
    assert variants_of("go") == ()


@pytest.mark.parametrize("name", registered(), ids="/".join)
def test_profiles_of_every_variant_are_registered(name: tuple[str, str]) -> None:
    rules = rules_for(*name)
    assert rules.profiles[0] == "online"
    assert set(rules.profiles) <= set(PROFILES)
    for profile in rules.profiles:
        under = rules_for(*name, profile)
        assert (under.game, under.variant, under.notation) == (*name, rules.notation)


def test_unknown_profile_of_a_variant_is_refused() -> None:
    with pytest.raises(UnknownProfile, match="chess960 is played by online, fide, uscf, not by 'fmjd'"):
        rules_for("chess", "chess960", "fmjd")
