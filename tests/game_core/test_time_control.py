"""Time controls: the protocol's forms, their limits and their estimated duration."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.errors import BadTimeControl
from game_core.time_control import Period, TimeControl, format_time_control, parse_time_control, speed

FORMS = {
    "increment": ({"base_s": 180, "inc_s": 2}, TimeControl((Period(None, 180_000, 2_000),))),
    "sudden death": ({"base_s": 300, "inc_s": 0}, TimeControl((Period(None, 300_000),))),
    "no base but an increment": ({"base_s": 0, "inc_s": 1}, TimeControl((Period(None, 0, 1_000),))),
    "delay": ({"base_s": 300, "delay_s": 3}, TimeControl((Period(None, 300_000),), delay_ms=3_000)),
    "Bronstein": ({"base_s": 300, "bronstein_s": 3}, TimeControl((Period(None, 300_000),), bronstein_ms=3_000)),
    "largest": ({"base_s": 10_800, "inc_s": 180}, TimeControl((Period(None, 10_800_000, 180_000),))),
    "40 moves in 90 min, then 30 min, 30 s a move": (
        {"periods": [{"moves": 40, "base_s": 5400, "inc_s": 30}, {"base_s": 1800, "inc_s": 30}]},
        TimeControl((Period(40, 5_400_000, 30_000), Period(None, 1_800_000, 30_000))),
    ),
    "a period that repeats": (
        {"periods": [{"moves": 40, "base_s": 7200, "inc_s": 0}]},
        TimeControl((Period(40, 7_200_000),)),
    ),
    "a second period of increments only": (
        {"periods": [{"moves": 200, "base_s": 60, "inc_s": 0}, {"base_s": 0, "inc_s": 10}]},
        TimeControl((Period(200, 60_000), Period(None, 0, 10_000))),
    ),
    "days": ({"days": 14}, TimeControl(days=14)),
    "no clock": (None, None),
}


@pytest.mark.parametrize(("form", "control"), FORMS.values(), ids=FORMS)
def test_protocol_form_round_trips(form: object, control: TimeControl | None) -> None:
    assert parse_time_control(form) == control
    assert format_time_control(control) == form


OTHER_SPELLINGS: dict[str, tuple[object, object]] = {
    "the increment left out": ({"base_s": 300}, {"base_s": 300, "inc_s": 0}),
    "a delay of nothing": ({"base_s": 300, "delay_s": 0}, {"base_s": 300, "inc_s": 0}),
    "a Bronstein delay of nothing": ({"base_s": 300, "bronstein_s": 0}, {"base_s": 300, "inc_s": 0}),
    "one period for the whole game": ({"periods": [{"base_s": 60, "inc_s": 1}]}, {"base_s": 60, "inc_s": 1}),
    "40 moves in 2 h, then 1 h": (
        {"periods": ({"moves": 40, "base_s": 7200}, {"base_s": 3600})},
        {"periods": [{"moves": 40, "base_s": 7200, "inc_s": 0}, {"base_s": 3600, "inc_s": 0}]},
    ),
}


@pytest.mark.parametrize(("spelling", "form"), OTHER_SPELLINGS.values(), ids=OTHER_SPELLINGS)
def test_spellings_of_one_control_are_equal(spelling: object, form: object) -> None:
    assert parse_time_control(spelling) == parse_time_control(form)
    assert format_time_control(parse_time_control(spelling)) == form


BAD: dict[str, object] = {
    "text": "3+2",
    "a number": 180,
    "a list": [180, 2],
    "false, which is not null": False,
    "nothing in it": {},
    "an increment without a base": {"inc_s": 2},
    "a delay without a base": {"delay_s": 2},
    "no time at all": {"base_s": 0, "inc_s": 0},
    "no base and no increment": {"base_s": 0},
    "no base but a delay": {"base_s": 0, "delay_s": 5},
    "no base but a Bronstein delay": {"base_s": 0, "bronstein_s": 5},
    "a negative base": {"base_s": -1, "inc_s": 2},
    "too long a base": {"base_s": 10_801, "inc_s": 0},
    "a negative increment": {"base_s": 60, "inc_s": -1},
    "too long an increment": {"base_s": 60, "inc_s": 181},
    "too long a delay": {"base_s": 60, "delay_s": 181},
    "a negative delay": {"base_s": 60, "delay_s": -1},
    "too long a Bronstein delay": {"base_s": 60, "bronstein_s": 181},
    "half a second": {"base_s": 60, "inc_s": 0.5},
    "a whole number as a float": {"base_s": 60.0, "inc_s": 0},
    "a number as text": {"base_s": "60", "inc_s": 0},
    "a boolean for a number": {"base_s": 60, "inc_s": True},
    "null for a number": {"base_s": 60, "inc_s": None},
    "an unknown field": {"base_s": 60, "inc_s": 0, "byoyomi_s": 30},
    "a field that is no text": {"base_s": 60, 1: 2},
    "increment and delay": {"base_s": 60, "inc_s": 0, "delay_s": 3},
    "both delays": {"base_s": 60, "delay_s": 3, "bronstein_s": 3},
    "days and a base": {"days": 3, "base_s": 60},
    "no days": {"days": 0},
    "too many days": {"days": 15},
    "days as a boolean": {"days": True},
    "periods and a base": {"periods": [{"base_s": 60}], "base_s": 60},
    "periods that are no list": {"periods": {"base_s": 60}},
    "periods as text": {"periods": "40/7200:3600"},
    "no periods": {"periods": []},
    "too many periods": {"periods": [{"moves": 10, "base_s": 60}] * 11},
    "a period that is no map": {"periods": [60]},
    "a period of nothing": {"periods": [{"moves": 40, "base_s": 60}, {"base_s": 0}]},
    "a period with a delay": {"periods": [{"moves": 40, "base_s": 60, "delay_s": 5}, {"base_s": 60}]},
    "a first period for the rest of the game": {"periods": [{"base_s": 60}, {"base_s": 60}]},
    "a period of no moves": {"periods": [{"moves": 0, "base_s": 60}, {"base_s": 60}]},
    "a period of too many moves": {"periods": [{"moves": 201, "base_s": 60}, {"base_s": 60}]},
    "null for the moves": {"periods": [{"moves": None, "base_s": 60}]},
}


@pytest.mark.parametrize("value", BAD.values(), ids=BAD)
def test_invalid_protocol_form_is_refused(value: object) -> None:
    with pytest.raises(BadTimeControl):
        parse_time_control(value)


def test_refusal_names_the_valid_values() -> None:
    with pytest.raises(BadTimeControl, match=r"^base_s must be an integer from 0 to 10800$"):
        parse_time_control({"base_s": 10_801})
    with pytest.raises(BadTimeControl, match=r"^inc_s cannot be combined with base_s and delay_s$"):
        parse_time_control({"base_s": 60, "inc_s": 1, "delay_s": 3})
    with pytest.raises(BadTimeControl, match=r"^period 1 must have moves: only the last may be for the rest"):
        parse_time_control({"periods": [{"base_s": 60}, {"base_s": 60}]})
    with pytest.raises(BadTimeControl, match=r"^unknown field in a time control: known here are base_s, inc_s, moves$"):
        parse_time_control({"periods": [{"base_s": 60, "days": 1}]})


def test_control_without_a_protocol_form_cannot_be_written() -> None:
    control = TimeControl((Period(40, 7_200_000), Period(None, 3_600_000)), delay_ms=5_000)
    with pytest.raises(AssertionError, match="no delay together with several periods"):
        format_time_control(control)


bases = st.integers(0, 10_800)
steps = st.integers(0, 180)


@st.composite
def periods(draw: st.DrawFn, *, rest: bool) -> dict[str, object]:
    base_s = draw(bases)
    inc_s = draw(steps) if base_s else draw(st.integers(1, 180))
    fields: dict[str, object] = {"base_s": base_s, "inc_s": inc_s}
    return fields if rest else {"moves": draw(st.integers(1, 200)), **fields}


@st.composite
def forms(draw: st.DrawFn) -> dict[str, object]:
    """Any form of the protocol, in the spelling that ``format_time_control`` writes."""
    kind = draw(st.sampled_from(["inc_s", "delay_s", "bronstein_s", "periods", "repeat", "days"]))
    if kind == "inc_s":
        return draw(periods(rest=True))
    if kind == "days":
        return {"days": draw(st.integers(1, 14))}
    if kind == "periods":
        first = draw(st.lists(periods(rest=False), min_size=1, max_size=9))
        return {"periods": [*first, draw(periods(rest=True))]}
    if kind == "repeat":
        return {"periods": draw(st.lists(periods(rest=False), min_size=1, max_size=10))}
    return {"base_s": draw(st.integers(1, 10_800)), kind: draw(st.integers(1, 180))}


@given(forms())
def test_every_form_round_trips(form: dict[str, object]) -> None:
    control = parse_time_control(form)
    assert format_time_control(control) == form
    assert speed(control) != "unlimited"


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
names = st.sampled_from(["base_s", "inc_s", "delay_s", "bronstein_s", "periods", "days", "moves"]) | st.text(max_size=3)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4), max_leaves=8
)


@given(anything)
def test_any_value_is_read_or_refused(value: object) -> None:
    try:
        control = parse_time_control(value)
    except BadTimeControl:
        return
    assert parse_time_control(format_time_control(control)) == control


# Base + 40 x (increment or delay), in all periods of the control up to move 40.
ESTIMATES: dict[str, tuple[dict[str, object], int]] = {
    "base alone": ({"base_s": 300}, 300),
    "base and increment": ({"base_s": 180, "inc_s": 2}, 260),
    "increment alone": ({"base_s": 0, "inc_s": 3}, 120),
    "base and delay": ({"base_s": 300, "delay_s": 5}, 500),
    "base and Bronstein delay": ({"base_s": 300, "bronstein_s": 5}, 500),
    "30 in 2 h, then 1 h": ({"periods": [{"moves": 30, "base_s": 7200}, {"base_s": 3600}]}, 10_800),
    "30 in 90 min, then 30 min, 30 s a move": (
        {"periods": [{"moves": 30, "base_s": 5400, "inc_s": 30}, {"base_s": 1800, "inc_s": 30}]},
        5400 + 1800 + 40 * 30,
    ),
    "an increment from move 31 on": ({"periods": [{"moves": 30, "base_s": 60}, {"base_s": 60, "inc_s": 9}]}, 210),
    "a period that begins after move 40 does not count": (
        {"periods": [{"moves": 40, "base_s": 3000, "inc_s": 1}, {"base_s": 3600, "inc_s": 30}]},
        3040,
    ),
    "a period that begins with move 40 counts": ({"periods": [{"moves": 39, "base_s": 60}, {"base_s": 40}]}, 100),
    "one that begins after a third of them": (
        {"periods": [{"moves": 30, "base_s": 100}, {"moves": 10, "base_s": 10}, {"base_s": 1}]},
        110,
    ),
    "30 moves in an hour, again and again": ({"periods": [{"moves": 30, "base_s": 3600}]}, 7200),
    "20 moves in a minute, twice by move 40": ({"periods": [{"moves": 20, "base_s": 60}]}, 120),
    "10 s for every move": ({"periods": [{"moves": 1, "base_s": 10, "inc_s": 1}]}, 440),
    "days for every move": ({"days": 2}, 40 * 2 * 86_400),
}


@pytest.mark.parametrize(("form", "estimated_s"), ESTIMATES.values(), ids=ESTIMATES)
def test_estimated_duration_is_base_and_forty_steps(form: dict[str, object], estimated_s: int) -> None:
    control = parse_time_control(form)
    assert control is not None
    assert control.estimated_s == estimated_s


SPEEDS: dict[str, tuple[object, str]] = {
    "1+0": ({"base_s": 60, "inc_s": 0}, "bullet"),
    "2+0 and 59 s": ({"base_s": 179, "inc_s": 0}, "bullet"),
    "2+1": ({"base_s": 120, "inc_s": 1}, "bullet"),
    "3+0": ({"base_s": 180, "inc_s": 0}, "blitz"),
    "3+2": ({"base_s": 180, "inc_s": 2}, "blitz"),
    "5+0": ({"base_s": 300, "inc_s": 0}, "blitz"),
    "5+5": ({"base_s": 300, "inc_s": 5}, "blitz"),
    "a second under 10 min": ({"base_s": 599, "inc_s": 0}, "blitz"),
    "10+0": ({"base_s": 600, "inc_s": 0}, "rapid"),
    "10+5": ({"base_s": 600, "inc_s": 5}, "rapid"),
    "10 min with 5 s of delay": ({"base_s": 600, "delay_s": 5}, "rapid"),
    "15+10": ({"base_s": 900, "inc_s": 10}, "rapid"),
    "a second under 25 min": ({"base_s": 1499, "inc_s": 0}, "rapid"),
    "30+0": ({"base_s": 1800, "inc_s": 0}, "classical"),
    "30+20": ({"base_s": 1800, "inc_s": 20}, "classical"),
    "several periods may be blitz": ({"periods": [{"moves": 40, "base_s": 240}, {"base_s": 60}]}, "blitz"),
    "a day a move": ({"days": 1}, "correspondence"),
    "no clock": (None, "unlimited"),
}


@pytest.mark.parametrize(("form", "expected"), SPEEDS.values(), ids=SPEEDS)
def test_speed_follows_from_the_estimated_duration(form: object, expected: str) -> None:
    assert speed(parse_time_control(form)) == expected


TWO = TimeControl((Period(40, 7_200_000), Period(20, 3_600_000), Period(None, 900_000)))
REPEATED = TimeControl((Period(40, 7_200_000), Period(20, 3_600_000)))


@pytest.mark.parametrize(
    ("control", "index", "due"),
    [(TWO, 0, 40), (TWO, 1, 60), (TWO, 2, None), (REPEATED, 1, 60), (REPEATED, 2, 80), (REPEATED, 5, 140)],
)
def test_period_ends_after_its_moves_and_all_before(control: TimeControl, index: int, due: int | None) -> None:
    assert control.due_moves(index) == due
    assert control.moves_to_go(index, 33) == (None if due is None else due - 33)


def test_last_period_repeats() -> None:
    assert [REPEATED.period(index).base_ms for index in range(4)] == [7_200_000, 3_600_000, 3_600_000, 3_600_000]


def test_moves_are_counted_only_if_a_period_depends_on_them() -> None:
    assert TWO.counts_moves
    assert TimeControl((Period(40, 60_000),)).counts_moves
    assert not TimeControl((Period(None, 60_000),)).counts_moves
    assert not TimeControl(days=1).counts_moves
