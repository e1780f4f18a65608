"""The registry of games."""

from __future__ import annotations

import pytest

from game_core.errors import UnknownProfile, UnknownVariant
from game_core.profiles import PROFILES
from game_core.registry import registered, rules_for


def test_finds_rules_under_the_names_they_bear() -> None:
    for game, variant in registered():
        rules = rules_for(game, variant)
        assert (rules.game, rules.variant) == (game, variant)


def test_has_standard_chess_first() -> None:
    assert registered()[:2] == (("chess", "standard"), ("chess", "chess960"))


@pytest.mark.parametrize("name", [("chess", "atomic"), ("go", "standard"), ("", "")])
def test_refuses_what_it_does_not_know(name: tuple[str, str]) -> None:
    with pytest.raises(UnknownVariant, match="no rules for"):
        rules_for(*name)


@pytest.mark.parametrize("name", registered(), ids="/".join)
def test_every_variant_is_played_by_profiles_that_are_known(name: tuple[str, str]) -> None:
    rules = rules_for(*name)
    assert rules.profiles[0] == "online"
    assert set(rules.profiles) <= set(PROFILES)
    for profile in rules.profiles:
        under = rules_for(*name, profile)
        assert (under.game, under.variant, under.notation) == (*name, rules.notation)


def test_refuses_a_profile_that_a_variant_does_not_know() -> None:
    with pytest.raises(UnknownProfile, match="chess960 is played by online, not by 'fmjd'"):
        rules_for("chess", "chess960", "fmjd")
