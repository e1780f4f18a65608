"""Conduct of the players in a finished game, as a table of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lobby.moderation.game_conduct import GameEnd, conduct_of

if TYPE_CHECKING:
    from game_core.color import Color

BLITZ_MS = 300_000
"""5+0: an eighth of it is 37.5 s."""


def ending(reason: str, **fields: Any) -> GameEnd:
    facts: dict[str, Any] = {
        "turn": "w",
        "is_rated": True,
        "has_begun": True,
        "requester": None,
        "estimate_ms": BLITZ_MS,
        "first_move_ms": 20_000,
    }
    return GameEnd(reason=reason, **(facts | fields))


NOBODY = {"w": "ok", "b": "ok"}


@pytest.mark.parametrize(
    "reason",
    ["checkmate", "stalemate", "dead_position", "agreement", "threefold", "fivefold", "fifty_moves", "arbiter", "goal"],
)
def test_end_on_the_board_is_no_misconduct(reason: str) -> None:
    assert conduct_of(ending(reason, requester="w")) == NOBODY


@pytest.mark.parametrize(
    ("fields", "white", "black"),
    [
        # White asks at once, with the move and without it.
        ({"requester": "w", "turn": "w"}, "aborted", "ok"),
        ({"requester": "w", "turn": "b"}, "aborted", "ok"),
        ({"requester": "b", "turn": "w", "waited_ms": 9_999}, "ok", "aborted"),
        # The other has been waited for, but still had time.
        ({"requester": "b", "turn": "w", "waited_ms": 10_000}, "ok", "ok"),
        ({"requester": "w", "turn": "b", "waited_ms": 19_000}, "ok", "ok"),
        # A player who has not come cannot blame the other for it.
        ({"requester": "w", "turn": "w", "waited_ms": 19_000}, "aborted", "ok"),
        # The server's timer.
        ({"requester": None, "turn": "w", "waited_ms": 20_000}, "no_show", "ok"),
        ({"requester": None, "turn": "b", "waited_ms": 20_000}, "ok", "no_show"),
    ],
)
def test_abort_before_the_start_is_blamed_on_one_side(fields: dict[str, Any], white: str, black: str) -> None:
    assert conduct_of(ending("aborted", has_begun=False, **fields)) == {"w": white, "b": black}


@pytest.mark.parametrize("loser", ["w", "b"])
def test_who_does_not_come_by_the_default_time_is_absent(loser: Color) -> None:
    assert conduct_of(ending("default_time", has_begun=False, loser=loser)) == NOBODY | {loser: "no_show"}


@pytest.mark.parametrize(
    ("has_begun", "requester", "expected"),
    [(True, "w", NOBODY), (False, "w", {"w": "aborted", "b": "ok"}), (False, None, NOBODY)],
)
def test_resigning_before_the_first_moves_is_an_abort(
    has_begun: bool, requester: Any, expected: dict[str, str]
) -> None:
    assert conduct_of(ending("resignation", has_begun=has_begun, requester=requester)) == expected


@pytest.mark.parametrize(("has_begun", "deed"), [(True, "left"), (False, "aborted")])
def test_leaving_a_game_that_does_not_count_yet_is_an_abort(has_begun: bool, deed: str) -> None:
    assert conduct_of(ending("abandoned", has_begun=has_begun, requester="w")) == {"w": "ok", "b": deed}


@pytest.mark.parametrize(
    ("estimate_ms", "thought_ms", "is_long"),
    [
        (BLITZ_MS, 37_499, False),
        (BLITZ_MS, 37_500, True),
        (BLITZ_MS, None, False),
        (60_000, 19_999, False),
        (60_000, 20_000, True),
        (3_600_000, 179_999, False),
        (3_600_000, 180_000, True),
    ],
)
@pytest.mark.parametrize("reason", ["timeout", "timeout_draw"])
def test_long_thought_before_a_flag_fall_is_stalling(
    reason: str, estimate_ms: int, thought_ms: int | None, is_long: bool
) -> None:
    for turn, other in (("w", "b"), ("b", "w")):
        found = conduct_of(ending(reason, turn=turn, fallen=turn, estimate_ms=estimate_ms, thought_ms=thought_ms))
        assert found == {turn: "let_run" if is_long else "ok", other: "ok"}


@pytest.mark.parametrize("reason", ["timeout", "timeout_draw"])
@pytest.mark.parametrize("fallen", ["w", None])
def test_who_claims_a_flag_after_a_long_thought_is_not_stalling(reason: str, fallen: Color | None) -> None:
    """By the Laws the opponent's flag may have fallen on an earlier move."""
    assert conduct_of(ending(reason, turn="b", requester="b", fallen=fallen, thought_ms=BLITZ_MS)) == NOBODY


def test_nobody_is_at_fault_if_neither_came_to_a_game_by_the_laws() -> None:
    assert conduct_of(ending("aborted", has_begun=False, is_by_laws=True)) == NOBODY


@pytest.mark.parametrize(("requester", "expected"), [("w", {"w": "ok", "b": "left"}), (None, NOBODY)])
def test_claimed_absence_is_leaving(requester: Any, expected: dict[str, str]) -> None:
    assert conduct_of(ending("abandoned", requester=requester, turn="w")) == expected


@pytest.mark.parametrize(
    ("is_rated", "has_begun", "deed"), [(True, True, "ok"), (True, False, "aborted"), (False, False, "ok")]
)
def test_flag_fall_before_a_rated_game_counts_is_an_abort(is_rated: bool, has_begun: bool, deed: str) -> None:
    found = conduct_of(
        ending("timeout", turn="b", is_rated=is_rated, has_begun=has_begun, estimate_ms=15_000, thought_ms=15_000)
    )
    assert found == {"w": "ok", "b": deed}
