"""Text form of time controls: the table shared with the page."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from game_core.control_text import pgn_control, short_control, spelled_control
from game_core.host_control import move_control
from game_core.time_control import format_time_control, parse_time_control, speed
from tests.game_core.chess.library import DATA
from tests.game_core.test_time_control import forms

CASES: list[dict[str, Any]] = json.loads((DATA / "controls.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["short"]))
def test_time_control_texts_equal_the_table(case: dict[str, Any]) -> None:
    tc = parse_time_control(case["tc"])
    assert format_time_control(tc) == case["tc"], "the table has each control in its shortest form"
    assert (short_control(tc), spelled_control(tc), pgn_control(tc)) == (case["short"], case["words"], case["pgn"])
    assert speed(tc) == case["speed"]


@given(forms(), forms())
def test_different_time_controls_have_different_texts(one: dict[str, Any], other: dict[str, Any]) -> None:
    first, second = parse_time_control(one), parse_time_control(other)
    if first != second:
        assert short_control(first) != short_control(second)
        assert spelled_control(first) != spelled_control(second)


def test_time_per_move_of_a_host_is_written() -> None:
    tc = move_control(30_000)
    assert short_control(tc) == spelled_control(tc) == "30 s per move"
    assert pgn_control(tc) == "1/30"
