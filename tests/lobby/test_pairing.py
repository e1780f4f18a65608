"""Colours and start position of a pairing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess
import msgspec
import pytest

from game_core.public_delay import PublicDelay
from game_core.registry import rules_for
from lobby.accounts.user import User
from lobby.pairing import are_compatible, new_game, paired_wire, rematch, seat
from lobby.proposals import Terms

if TYPE_CHECKING:
    from lobby.wire.lobby import Wish

ANNA, BERT = User("a", "Anna", "guest"), User("b", "Bert", "member", "FM")

CASUAL = Terms(game="chess", variant="standard", tc=None, rated=False, rules="online")
FISCHER = Terms(game="chess", variant="chess960", tc=None, rated=False, rules="online")
ENDGAME = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
START_518 = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def zero(_n: int) -> int:
    return 0


def one(n: int) -> int:
    return 1 % n


@pytest.mark.parametrize(
    ("mine", "yours", "both"),
    [
        ("w", "b", True),
        ("b", "w", True),
        ("w", "w", False),
        ("b", "b", False),
        ("random", "w", True),
        ("b", "random", True),
        ("random", "random", True),
    ],
)
def test_colour_wishes_are_compatible_unless_equal(mine: Wish, yours: Wish, both: bool) -> None:
    assert are_compatible(mine, yours) is are_compatible(yours, mine) is both
    if both:
        for randbelow in (zero, one):
            white, black = seat((ANNA, mine), (BERT, yours), randbelow)
            assert {white, black} == {ANNA, BERT}
            assert mine == "random" or (white == ANNA) == (mine == "w")
            assert yours == "random" or (white == BERT) == (yours == "w")


def test_colour_is_random_without_a_wish() -> None:
    assert seat((ANNA, "random"), (BERT, "random"), zero) == (ANNA, BERT)
    assert seat((ANNA, "random"), (BERT, "random"), one) == (BERT, ANNA)


def test_only_variants_with_random_start_get_a_drawn_position() -> None:
    assert new_game("g", CASUAL, ANNA, BERT, zero).fen is None
    drawn = new_game("g", FISCHER, ANNA, BERT, lambda _n: 518).fen
    assert drawn is not None
    assert drawn.startswith(START_518)
    rules_for("chess", "chess960").start(drawn)


def test_chosen_start_is_played() -> None:
    chosen = Terms(game="chess", variant="chess960", tc=None, rated=False, rules="online", fen="chosen")
    assert new_game("g", chosen, ANNA, BERT, zero).fen == "chosen"


@pytest.mark.parametrize("number", [0, 518, 959])
def test_chosen_start_number_is_played(number: int) -> None:
    chosen = Terms(game="chess", variant="chess960", tc=None, rated=False, rules="online", position=number)
    fen = new_game("g", chosen, ANNA, BERT, lambda _n: 1).fen
    assert fen == chess.Board.from_chess960_pos(number).fen()


def test_both_players_are_notified_of_colour_and_opponent() -> None:
    assert paired_wire(new_game("g1", CASUAL, BERT, ANNA, zero)) == [
        (
            "b",
            {
                "t": "paired",
                "g": "g1",
                "color": "w",
                "opponent": {"id": "a", "name": "Anna", "kind": "guest", "title": None},
            },
        ),
        (
            "a",
            {
                "t": "paired",
                "g": "g1",
                "color": "b",
                "opponent": {"id": "b", "name": "Bert", "kind": "member", "title": "FM"},
            },
        ),
    ]


def test_player_is_not_paired_with_themselves() -> None:
    assert paired_wire(new_game("g1", CASUAL, ANNA, ANNA, zero, pausable=True)) == []


def test_rematch_reverses_colours_and_keeps_the_rest() -> None:
    first = new_game("g1", CASUAL, ANNA, BERT, zero)
    second = rematch(first, "g2", zero)
    assert (second.id, second.white, second.black, second.rematch_of) == ("g2", BERT, ANNA, "g1")
    third = rematch(second, "g3", zero)
    assert (third.white, third.black, third.rematch_of, third.fen) == (ANNA, BERT, "g2", None)


def test_rematch_keeps_the_public_delay() -> None:
    late = msgspec.structs.replace(CASUAL, delay=PublicDelay(moves=5))
    first = new_game("g1", late, ANNA, BERT, zero)
    assert first.delay == rematch(first, "g2", zero).delay == PublicDelay(moves=5)


def test_drawn_start_is_played_from_both_sides_throughout_a_match() -> None:
    numbers = iter((518, 0, 17))
    game = new_game("g0", FISCHER, ANNA, BERT, lambda _n: next(numbers))
    starts = [game.fen]
    for number in range(1, 6):
        over = msgspec.structs.replace(game, match=game.match.after("1-0"))
        game = rematch(over, f"g{number}", lambda _n: next(numbers))
        starts.append(game.fen)
    assert starts[0::2] == starts[1::2]
    assert len(set(starts)) == 3


def test_drawn_start_is_kept_after_an_aborted_game() -> None:
    first = new_game("g0", FISCHER, ANNA, BERT, lambda _n: 518)
    over = msgspec.structs.replace(first, match=first.match.after("1-0"))
    aborted = rematch(over, "g1", zero)
    assert rematch(aborted, "g2", zero).fen == first.fen


def test_custom_position_is_kept_in_rematches() -> None:
    terms = Terms(game="chess", variant="chess960", tc=None, rated=False, rules="online", fen=ENDGAME)
    second = rematch(new_game("g1", terms, ANNA, BERT, zero), "g2", zero)
    assert rematch(second, "g3", zero).fen == second.fen == ENDGAME
