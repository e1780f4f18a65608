"""The registry of games."""

from __future__ import annotations

import pytest

from game_core.errors import UnknownVariant
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
