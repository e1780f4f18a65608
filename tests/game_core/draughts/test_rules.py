"""Draughts behind the interface of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core.registry import registered, rules_for
from game_core.rules import Finding, Outcome
from tests.game_core.draughts.boards import ALL, LOSING, PLAIN, play, random_game

if TYPE_CHECKING:
    from game_core.rules import Rules


def test_every_variant_is_registered() -> None:
    assert [variant for game, variant in registered() if game == "draughts"] == list(ALL)
    for variant, here in ALL.items():
        rules = rules_for("draughts", variant)
        assert (rules.game, rules.variant, rules.notation) == (here.game, here.variant, here.notation)
        assert rules.fen(rules.start(None)) == here.fen(here.start(None))


@pytest.mark.parametrize("variant", ALL)
def test_draughts_has_the_attributes_of_rules(variant: str) -> None:
    rules: Rules = ALL[variant]
    assert (rules.game, rules.variant, rules.notation) == ("draughts", variant, "pdn")
    assert (rules.starts, rules.draw_start(17)) == (1, None)
    assert rules.under(rules.profiles[0]) is rules
    position = rules.start(None)
    assert rules.outcome(position) is None
    assert not rules.is_check(position)
    assert rules.claimable(position) is None
    assert "automatic" in rules.missing_for_claim(position)
    assert rules.draw_in(position) is None
    assert rules.can_win(position, "w")
    assert rules.can_win(position, "b")
    assert not rules.may_be_dead(position)
    assert rules.identity(position) == rules.fen(position)
    assert rules.find_win(rules.identity(position), "w", 1) == Finding("yes", "material", 0)


@pytest.mark.parametrize(
    ("variant", "fen", "moves", "winner", "reason"),
    [
        ("international", "W:W32:B28", ["32x23"], "w", "all_captured"),
        ("losing-international", "W:W32:B28", ["32x23"], "b", "all_captured"),
        ("english", "B:W29:B21,22", ["21-25"], "b", "no_moves"),
        ("losing-english", "B:W29,30:B21,22,3", ["21-25", "30x21"], None, ""),
        ("losing-english", "B:W29:B21,22", ["21-25"], "w", "no_moves"),
    ],
)
def test_outcome_after_the_last_move(variant: str, fen: str, moves: list[str], winner: str | None, reason: str) -> None:
    rules = ALL[variant]
    position = play(rules, rules.start(fen), *moves)
    outcome = rules.outcome(position)
    if winner is None:
        assert outcome is None
    else:
        assert isinstance(outcome, Outcome)
        assert (outcome.winner, outcome.reason) == (winner, reason)
        assert rules.legal_moves(position) == []


def test_repeated_play_returns_the_cached_result_once() -> None:
    rules = PLAIN["international"]
    position = rules.start(None)
    played = rules.play(position, "32-28")
    assert rules.play(position, "32-28") is played
    again = rules.play(position, "32-28")
    assert again is not played
    assert again == played


@pytest.mark.parametrize("variant", [*PLAIN, *list(LOSING)[:2]])
def test_replayed_game_is_the_same(variant: str) -> None:
    rules = ALL[variant]
    replayed = rules.start(None)
    for position, move in random_game(rules, 1, 150):
        assert replayed == position
        assert hash(replayed) == hash(position)
        replayed = rules.play(replayed, move).position


def test_positions_compare_by_value() -> None:
    english, classic = PLAIN["english"].start(None), PLAIN["classic"].start(None)
    assert english == PLAIN["english"].start(None)
    assert english != classic
    assert english != PLAIN["english"].fen(english)
    assert repr(english) == "Position('B:W21-32:B1-12')"
