"""Setup of a simul: valid and refused announcements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from game_core.registry import registered
from game_core.time_control import Period, TimeControl
from lobby.accounts.user import User
from lobby.errors import BadMessage, Forbidden
from simul.controls import first_host_ms, has_one_clock, host_control, is_host_timed, player_control
from simul.draft import MAX_OFFERS, LateJoin, Offer
from simul.setup import SimulSetup, agree, draft_of, setup_wire
from tests.simul.simul_model import HOST, NOW_MS, draft

if TYPE_CHECKING:
    from game_core.errors import Refusal

GUEST = User("guest", "Guest-7F3K2", "guest")
BOTH = (Offer("chess", "standard"), Offer("chess", "chess960"))
ENDING = "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"
PERIODS = {"periods": [{"moves": 40, "base_s": 5400, "inc_s": 30}, {"base_s": 900, "inc_s": 30}]}


def agreed(**fields: Any) -> SimulSetup:
    return agree(HOST, draft(**fields), NOW_MS)


@pytest.mark.parametrize(
    ("fields", "error", "text"),
    [
        ({"name": " \u202e "}, BadMessage, "name: expected text"),
        ({"name": "x" * 61}, BadMessage, "name: expected at most 60"),
        ({"text": "x" * 1001}, BadMessage, "text: expected at most 1000"),
        ({"text": "x\n" * 41}, BadMessage, "text: expected at most 40 lines"),
        ({"variant": "atomic"}, BadMessage, "variant: for chess expected one of standard"),
        ({"variants": (BOTH[0], BOTH[0])}, BadMessage, "variants: expected each only once"),
        ({"variants": (BOTH[0], Offer("go", "standard"))}, BadMessage, "game: expected one of chess"),
        ({"variants": BOTH, "fen": ENDING}, BadMessage, "fen: a custom position requires a single variant"),
        ({"fen": "8/8 w"}, BadMessage, "fen: "),
        ({"tc": {"base_s": -1}}, BadMessage, "tc: "),
        ({"tc": {"days": 3}}, BadMessage, "tc: expected a clock, not correspondence"),
        ({"host_tc": {"move_s": 30}}, BadMessage, "host_tc: not allowed in clock mode"),
        ({"mode": "round", "host_tc": {"move_s": 0}}, BadMessage, "host_tc: move_s"),
        ({"mode": "round", "host_tc": "hourglass"}, BadMessage, "host_tc: "),
        ({"mode": "round", "host_tc": PERIODS}, BadMessage, "host_tc: one clock for all"),
        ({"mode": "round", "tc": PERIODS}, BadMessage, "host_tc: a clock for all boards has one period"),
        ({"mode": "round", "tc": None, "host_tc": {"base_s": 600}}, BadMessage, "host_tc: expected null"),
        ({"tc": None, "host_extra_s": 60}, BadMessage, "host_extra_s: the host has no clock"),
        ({"mode": "round", "host_tc": "none", "host_extra_per_board_s": 1}, BadMessage, "host_extra_s: "),
        ({"mode": "round", "host_tc": {"move_s": 30}, "host_extra_s": 1}, BadMessage, "host_extra_s: "),
        ({"min_rating": 1800, "max_rating": 1500}, BadMessage, "min_rating: "),
        ({"late_join": LateJoin()}, BadMessage, "late_join: expected either"),
        ({"late_join": LateJoin(move=3, minutes=4)}, BadMessage, "late_join: expected either"),
        ({"start_at": NOW_MS}, BadMessage, "start_at: "),
        ({"start_at": NOW_MS + 31 * 86_400_000}, BadMessage, "start_at: "),
        ({"rated": True, "guests": True}, Forbidden, "guests: "),
        ({"rated": True, "fen": ENDING}, Forbidden, "rated: a game from a chosen position"),
        ({"rated": True, "tc": None}, Forbidden, "rated: a game without a clock"),
        ({"rated": True, "host_extra_s": 60}, Forbidden, "rated: a game with a handicap"),
        ({"rated": True, "mode": "round", "host_tc": "none"}, Forbidden, "rated: a game with a handicap"),
    ],
)
def test_bad_setup_names_its_field(fields: dict[str, Any], error: type[Refusal], text: str) -> None:
    with pytest.raises(error) as refused:
        agreed(**fields)
    assert refused.value.message.startswith(text)


def test_guest_cannot_host_a_rated_simul() -> None:
    with pytest.raises(Forbidden, match="guests can play casual games only"):
        agree(GUEST, draft(rated=True), NOW_MS)
    assert agree(GUEST, draft(), NOW_MS).conditions.guests


FULL: dict[str, Any] = {
    "name": "  Grand\n day ",
    "text": "One.\n\n\n  Two.  \n\n",
    "tc": {"base_s": 1800, "inc_s": 30},
    "variants": BOTH,
    "mode": "round",
    "host_color": "random",
    "host_tc": {"base_s": 7200, "inc_s": 10},
    "host_extra_s": 600,
    "host_extra_per_board_s": 30,
    "countdown_s": 20,
    "passes": 1,
    "auto_next": False,
    "draws": 20,
    "max_boards": 40,
    "min_rating": 1200,
    "max_rating": 2000,
    "guests": False,
    "members": True,
    "invited": ("Anna",),
    "late_join": LateJoin(minutes=30),
    "away_limit_s": 900,
    "delay_s": 300,
    "start_at": NOW_MS + 60_000,
}


def test_wire_form_has_all_announced_terms() -> None:
    wire: dict[str, Any] = {**setup_wire(agreed(**FULL))}
    conditions = wire.pop("conditions")
    assert conditions == {"min_rating": 1200, "max_rating": 2000, "guests": False, "members": True, "invited": True}
    assert (wire["name"], wire["text"]) == ("Grand day", "One.\n\nTwo.")
    assert (wire["game"], wire["variant"]) == ("chess", "standard")
    assert wire["variants"] == [{"game": "chess", "variant": "standard"}, {"game": "chess", "variant": "chess960"}]
    assert wire["late_join"] == {"minutes": 30}
    same = ("tc", "mode", "host_tc", "host_extra_s", "passes", "auto_next", "draws", "delay_s", "start_at")
    assert {name: wire[name] for name in same} == {name: FULL[name] for name in same}
    assert msgspec.json.encode(wire)


@pytest.mark.parametrize(
    "fields",
    [
        FULL,
        {},
        {"mode": "round", "host_tc": "none"},
        {"mode": "round", "host_tc": {"move_s": 30}},
        {"rated": True},
        {"tc": None},
        {"late_join": LateJoin(move=5), "fen": ENDING},
        {"draws": "none"},
    ],
)
def test_setup_round_trips_through_its_draft(fields: dict[str, Any]) -> None:
    setup = agreed(**fields)
    assert agree(HOST, draft_of(setup), NOW_MS + 120_000, setup) == setup
    assert msgspec.convert(msgspec.to_builtins(setup), SimulSetup) == setup
    assert setup_wire(setup)["late_join"] in (None, {"move": 5}, {"minutes": 30})


def test_rated_simul_excludes_guests() -> None:
    assert not agreed(rated=True).conditions.guests
    assert agreed(rated=True, members=True, guests=True).conditions.members


@pytest.mark.parametrize(("draws", "draw_from"), [("free", 0), ("none", None), (25, 25)])
def test_draw_rule_sets_the_first_move_for_draws(draws: Any, draw_from: int | None) -> None:
    assert agreed(draws=draws).draw_from == draw_from


@pytest.mark.parametrize(
    ("game", "variant", "expected"),
    [
        (None, None, BOTH[0]),
        (None, "chess960", BOTH[1]),
        ("chess", None, BOTH[0]),
        ("chess", "chess960", BOTH[1]),
        ("draughts", None, None),
        (None, "atomic", None),
    ],
)
def test_requested_variant_selects_an_offer(game: str | None, variant: str | None, expected: Offer | None) -> None:
    assert agreed(variants=BOTH).offer_named(game, variant) == expected


MINUTE = 60_000


@pytest.mark.parametrize(
    ("fields", "boards", "host", "one_clock_ms"),
    [
        ({}, 10, TimeControl((Period(None, 10 * MINUTE),)), None),
        ({"host_extra_s": 300}, 10, TimeControl((Period(None, 15 * MINUTE),)), None),
        ({"host_extra_s": 60, "host_extra_per_board_s": 30}, 10, TimeControl((Period(None, 16 * MINUTE),)), None),
        ({"tc": None}, 10, None, None),
        ({"mode": "round", "host_extra_per_board_s": 60}, 20, TimeControl((Period(None, 30 * MINUTE),)), 30 * MINUTE),
        ({"mode": "round", "host_tc": {"base_s": 0, "inc_s": 5}}, 3, TimeControl((Period(None, 0, 5000),)), 5000),
        ({"mode": "round", "host_tc": "none"}, 3, None, None),
        ({"mode": "round", "tc": None}, 3, None, None),
        ({"mode": "round", "host_tc": {"move_s": 20}}, 3, TimeControl((Period(None, 0),), delay_ms=20_000), None),
    ],
)
def test_host_clock_follows_the_setup(
    fields: dict[str, Any], boards: int, host: TimeControl | None, one_clock_ms: int | None
) -> None:
    setup = agreed(**fields)
    assert host_control(setup, boards) == host
    assert is_host_timed(setup) == (host is not None)
    assert has_one_clock(setup) == (one_clock_ms is not None)
    assert first_host_ms(setup, boards) == one_clock_ms


def test_handicaps_are_added_to_the_first_period() -> None:
    setup = agreed(tc=PERIODS)
    control = player_control(setup, 60)
    assert control is not None
    assert [period.base_ms for period in control.periods] == [91 * MINUTE, 15 * MINUTE]
    host = host_control(setup, 1, 120)
    assert host is not None
    assert host.periods[0].base_ms == 92 * MINUTE
    assert player_control(agreed(tc=None), 60) is None


def test_one_simul_can_offer_every_variant() -> None:
    assert len(list(registered())) <= MAX_OFFERS
