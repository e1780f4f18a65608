"""Validation of proposals, with the error of each mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from game_core.laws.terms import LawsTerms
from game_core.public_delay import PublicDelay
from game_core.time_control import Period, TimeControl
from lobby.accounts.user import User
from lobby.errors import BadMessage, Forbidden, Unsupported
from lobby.proposals import Proposal, Range, Terms, agree, check_client, rating_range, terms_of_wire, terms_wire

if TYPE_CHECKING:
    from game_core.errors import Refusal
    from lobby.wire.lobby import Kind

BLITZ: dict[str, Any] = {"base_s": 180, "inc_s": 2}
E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def somebody(kind: Kind = "guest") -> User:
    return User("u1", "Anna", kind)


def proposal(**fields: Any) -> Proposal:
    return Proposal(**({"tc": BLITZ} | fields))


def test_plain_proposal_is_a_casual_game_of_standard_chess() -> None:
    assert agree(somebody(), proposal()) == Terms(
        game="chess",
        variant="standard",
        tc=TimeControl((Period(None, 180_000, 2_000),)),
        rated=False,
        rules="online",
    )


@pytest.mark.parametrize(
    ("fields", "error", "begins"),
    [
        ({"game": "go"}, BadMessage, "game: expected one of chess, draughts, chinese-checkers, got 'go'"),
        (
            {"variant": "atomic"},
            BadMessage,
            "variant: for chess expected one of standard, chess960, antichess, got 'atomic'",
        ),
        (
            {"game": "chinese-checkers"},
            BadMessage,
            "variant: for chinese-checkers expected one of fifteen, ten, got 'standard', as when none is named",
        ),
        ({"tc": {"base_s": -1}}, BadMessage, "tc: "),
        ({"tc": 5}, BadMessage, "tc: "),
        ({"rules": "house"}, BadMessage, "rules: "),
        ({"rules": "fmjd"}, BadMessage, "rules: standard is played by online, fide, uscf, not 'fmjd'"),
        ({"variant": "antichess", "rules": "fide"}, BadMessage, "rules: antichess is played by online, not 'fide'"),
        ({"laws": {}}, BadMessage, "laws: "),
        ({"rules": "fide", "laws": {"draw_from": -1}}, BadMessage, "draw_from: "),
        ({"rules": "uscf", "tc": {"days": 3}}, BadMessage, "laws: "),
        ({"rules": "fide"}, Unsupported, "laws: missing"),
        ({"rules": "uscf"}, Unsupported, "laws: missing"),
        ({"fen": "not a position"}, BadMessage, "fen: "),
        (
            {"fen": "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"},
            BadMessage,
            "fen: the game is over",
        ),
        ({"position": 518}, BadMessage, "position: standard has only one starting position"),
        ({"variant": "chess960", "position": 960}, BadMessage, "position: expected a number from 0 to 959"),
        ({"variant": "chess960", "position": -1}, BadMessage, "position: expected a number from 0 to 959"),
        ({"variant": "chess960", "position": 518, "fen": E4}, BadMessage, "position: expected either"),
        ({"rated": True}, Forbidden, "rated: guests"),
        ({"delay_s": 901}, BadMessage, "delay_s: expected 0 to 900 seconds"),
        ({"delay_s": -1}, BadMessage, "delay_s: "),
        ({"delay_moves": 31}, BadMessage, "delay_moves: expected 0 to 30 moves"),
        ({"delay_moves": -1}, BadMessage, "delay_moves: "),
        ({"delay_s": 60, "delay_moves": 1}, BadMessage, "delay_moves: expected a delay by seconds or by moves"),
    ],
)
def test_bad_proposal_names_its_field(fields: dict[str, Any], error: type[Refusal], begins: str) -> None:
    with pytest.raises(error) as caught:
        agree(somebody(), proposal(**fields))
    assert caught.value.message.startswith(begins)
    assert str(caught.value) == caught.value.message


def test_rated_game_from_a_chosen_position_is_refused() -> None:
    assert agree(somebody("member"), proposal(rated=True)).rated
    for chosen in ({"fen": E4}, {"variant": "chess960", "position": 518}):
        with pytest.raises(Forbidden, match="chosen position"):
            agree(somebody("member"), proposal(rated=True, **chosen))


def test_agreed_terms_keep_the_start_position() -> None:
    fen = agree(somebody(), proposal(fen=E4)).fen
    assert fen is not None
    assert fen.split()[:3] == E4.split()[:3]


@pytest.mark.parametrize(
    ("tc", "live"), [(BLITZ, True), ({"base_s": 10_800, "delay_s": 5}, True), ({"days": 3}, False), (None, False)]
)
def test_live_games_are_those_with_a_running_clock(tc: Any, live: bool) -> None:
    assert agree(somebody(), proposal(tc=tc)).live is live


@pytest.mark.parametrize(
    "fields",
    [
        {"min_rating": -1},
        {"max_rating": 4001},
        {"min_rating": 1600, "max_rating": 1500},
    ],
)
def test_impossible_rating_ranges_are_refused(fields: dict[str, int]) -> None:
    with pytest.raises(BadMessage):
        rating_range(proposal(**fields))


@pytest.mark.parametrize(
    ("low", "high", "rating", "inside"),
    [
        (None, None, None, True),
        (1500, 1500, 1500, True),
        (1501, None, 1500, False),
        (None, 1499, 1500, False),
        (1400, 1600, None, True),  # who has no rating counts as 1500
        (1600, None, None, False),
    ],
)
def test_rating_range_includes_its_bounds(low: int | None, high: int | None, rating: int | None, inside: bool) -> None:
    assert (rating in Range(low, high)) is inside
    if low is None or high is None or low <= high:
        assert rating_range(proposal(min_rating=low, max_rating=high)) == Range(low, high)


@pytest.mark.parametrize("tc", [BLITZ, None, {"days": 2}, {"periods": [{"moves": 40, "base_s": 60}, {"base_s": 30}]}])
def test_terms_are_stored_and_read_back(tc: Any) -> None:
    terms = agree(somebody(), proposal(tc=tc, variant="chess960"))
    assert terms_of_wire(terms_wire(terms)) == terms
    numbered = agree(somebody(), proposal(tc=tc, variant="chess960", position=0))
    assert terms_of_wire(terms_wire(numbered)) == numbered != terms


@pytest.mark.parametrize(("name", "delay"), [("delay_s", PublicDelay(60)), ("delay_moves", PublicDelay(moves=30))])
def test_agreed_terms_include_the_public_delay(name: str, delay: PublicDelay) -> None:
    fields = {name: delay.seconds or delay.moves}
    terms = agree(somebody(), proposal(**fields))
    assert terms.delay == delay
    told = terms_wire(terms)
    assert {key: value for key, value in told.items() if key.startswith("delay_")} == fields
    assert terms_of_wire(told) == terms != agree(somebody(), proposal())
    assert not [key for key in terms_wire(agree(somebody(), proposal())) if key.startswith("delay_")]


def test_terms_stored_by_an_earlier_version_are_read() -> None:
    terms = agree(somebody(), proposal(variant="chess960"))
    stored = {name: value for name, value in terms_wire(terms).items() if name != "position"}
    assert terms_of_wire(stored) == terms


def test_terms_of_a_game_by_the_laws() -> None:
    agreed = agree(somebody(), proposal(rules="fide", laws={"supervised": False, "draw_from": None}))
    assert agreed.laws == LawsTerms(supervised=False, draw_from=None)
    assert terms_of_wire(terms_wire(agreed)) == agreed
    assert agree(somebody(), proposal(rules="uscf", laws={})).laws == LawsTerms()
    draughts = {"game": "draughts", "variant": "international", "rules": "official"}
    assert agree(somebody(), proposal(**draughts)).laws is None
    assert agree(somebody(), proposal(**draughts, laws={})).laws == LawsTerms()


def test_game_by_the_laws_is_never_rated() -> None:
    with pytest.raises(Forbidden, match="rated: a game by the Laws"):
        agree(somebody("member"), proposal(rules="fide", laws={}, rated=True))


def test_client_says_that_it_knows_the_laws() -> None:
    check_client(agree(somebody(), proposal()), laws=False)
    by_laws = agree(somebody(), proposal(rules="fide", laws={}))
    check_client(by_laws, laws=True)
    with pytest.raises(Unsupported):
        check_client(by_laws, laws=False)
