"""Handicaps and matches: different times, and the score after several games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.time_control import parse_time_control
from lobby import pairing
from lobby.accounts.user import User
from lobby.errors import BadMessage, Forbidden
from lobby.pairing import MatchScore, NewGame, rematch
from lobby.proposals import agree
from tests.lobby.conftest import BLITZ, World, wanted

if TYPE_CHECKING:
    from game_core.errors import Refusal

ANNA, BERT = User("a", "Anna", "member"), User("b", "Bert", "member")
SHORT: dict[str, Any] = {"base_s": 60, "inc_s": 0}


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"opponent_tc": {"days": 2}}, BadMessage),
        ({"tc": None, "opponent_tc": SHORT}, BadMessage),
        ({"tc": {"days": 2}, "opponent_tc": SHORT}, BadMessage),
        ({"opponent_tc": {"base_s": -1}}, BadMessage),
        ({"opponent_tc": "fast"}, BadMessage),
        ({"opponent_tc": SHORT, "rated": True}, Forbidden),
    ],
)
def test_invalid_handicaps_are_refused(fields: dict[str, Any], error: type[Refusal]) -> None:
    with pytest.raises(error) as refused:
        agree(ANNA, wanted(**fields))
    assert refused.value.message.startswith("rated" if error is Forbidden else "opponent_tc")


def test_equal_times_are_no_handicap() -> None:
    terms = agree(ANNA, wanted(opponent_tc={"base_s": 180, "inc_s": 2}, rated=True))
    assert terms == agree(ANNA, wanted(rated=True))


@pytest.mark.parametrize("color", ["w", "b"])
async def test_each_side_gets_the_agreed_time(world: World, color: Any) -> None:
    anna, bert = await world.guest(), await world.guest()
    challenge = (await world.lobby.challenge(anna, wanted(color=color, opponent_tc=SHORT), to=bert.name))["challenge"]
    (message,) = world.messages(bert, "challenge")
    assert (message["tc"], message["opponent_tc"]) == (BLITZ, SHORT)
    card = await world.lobby.challenge_card(challenge)
    assert card is not None
    assert card["opponent_tc"] == SHORT
    await world.lobby.challenge_accept(bert, challenge)
    (game,) = world.server.opened_games
    tcs = {game.white: game.tc, game.black: game.black_tc}
    assert tcs == {anna: parse_time_control(BLITZ), bert: parse_time_control(SHORT)}


@pytest.mark.parametrize("color", ["w", "b"])
async def test_game_against_oneself_has_the_handicap(world: World, color: Any) -> None:
    anna = await world.guest()
    await world.lobby.challenge(anna, wanted(color=color, opponent_tc=SHORT), to="self")
    (game,) = world.server.opened_games
    first, second = (game.tc, game.black_tc) if color == "w" else (game.black_tc, game.tc)
    assert (first, second) == (parse_time_control(BLITZ), parse_time_control(SHORT))


def first_game(**fields: Any) -> NewGame:
    terms = agree(ANNA, wanted(**fields))
    return pairing.new_game("g1", terms, ANNA, BERT, lambda _: 0)


def test_rematch_keeps_the_time_of_each_player() -> None:
    first = first_game(opponent_tc=SHORT)
    second = rematch(first, "g2", lambda _: 0)
    assert (second.white, second.tc, second.black_tc) == (BERT, first.black_tc, first.tc)
    third = rematch(second, "g3", lambda _: 0)
    assert (third.white, third.tc, third.black_tc) == (ANNA, first.tc, first.black_tc)
    assert rematch(first_game(), "g2", lambda _: 0).black_tc is None


results = st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"])


@given(st.lists(results, max_size=20))
def test_match_score_is_the_sum_of_its_games(played: list[Any]) -> None:
    game, points = first_game(), {"a": 0.0, "b": 0.0}
    for number, result in enumerate(played, 2):
        if result == "1/2-1/2":
            points = {name: have + 0.5 for name, have in points.items()}
        elif result != "*":
            points[(game.white if result == "1-0" else game.black).id] += 1
        after = NewGame(**{name: getattr(game, name) for name in NewGame.__struct_fields__ if name != "match"},
                        match=game.match.after(result))  # fmt: skip
        game = rematch(after, f"g{number}", lambda _: 0)
        assert {game.white.id: game.match.white / 2, game.black.id: game.match.black / 2} == points
        assert game.match.games == sum(one != "*" for one in played[: number - 1])


def test_game_without_a_result_does_not_count_for_the_match() -> None:
    assert MatchScore(1, 2, 0).after("*") == MatchScore(1, 2, 0)
