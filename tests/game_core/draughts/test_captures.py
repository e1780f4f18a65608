"""Legal and compulsory captures of each variant.

In the diagrams Black's side is above; ``w`` and ``b`` are men, ``W`` and ``B`` kings, ``_`` squares that are not played
on.
"""

from __future__ import annotations

import pytest

from tests.game_core.draughts.boards import PLAIN, drawn


def moves(variant: str, diagram: str, turn: str = "w") -> list[str]:
    rules = PLAIN[variant]
    return sorted(rules.legal_moves(drawn(rules, diagram, "w" if turn == "w" else "b")))


THROUGH_THE_LAST_ROW = """
    _ . _ . _ . _ .
    . _ b _ . _ . _
    _ w _ . _ b _ .
    . _ . _ . _ . _
    _ . _ . _ . _ .
    . _ . _ . _ . _
    _ . _ . _ . _ .
    b _ . _ . _ . _
"""


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("russian", ["b6xg5", "b6xh4"]),  # as a king at once
        ("brazilian", ["b6xd8"]),
        ("classic", ["9x2"]),
        ("english", ["9x2"]),
    ],
)
def test_man_captures_to_the_last_row(variant: str, expected: list[str]) -> None:
    assert moves(variant, THROUGH_THE_LAST_ROW) == expected


ON_FROM_THE_LAST_ROW = """
    _ . _ . _ . _ .
    . _ b _ b _ . _
    _ w _ . _ . _ b
    . _ . _ . _ . _
    _ . _ . _ . _ .
    . _ . _ . _ . _
    _ . _ . _ . _ .
    b _ . _ . _ . _
"""


@pytest.mark.parametrize(
    ("variant", "move", "after"),
    [
        ("brazilian", "b6xf6", "B:Wf6:Bh6,a1"),  # stays a man
        ("russian", "b6xh4", "B:WKh4:Bh6,a1"),
        ("english", "9x2", "B:WK2:B7,12,29"),  # does not go on
        ("classic", "9x2", "B:WK2:B7,12,29"),
    ],
)
def test_man_continues_a_capture_from_the_last_row(variant: str, move: str, after: str) -> None:
    rules = PLAIN[variant]
    position = drawn(rules, ON_FROM_THE_LAST_ROW)
    assert move in rules.legal_moves(position)
    assert rules.fen(rules.play(position, move).position) == after


TWO_WAYS_ROUND = """
    _ . _ . _ . _ .
    . _ . _ . _ . _
    _ . _ . _ . _ .
    . _ b _ b _ . _
    _ . _ . _ . _ .
    . _ b _ b _ . _
    _ . _ w _ . _ .
    . _ . _ . _ . _
"""


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("english", ["26x17x10", "26x19x10"]),
        ("russian", ["d2xd2"]),
        ("brazilian", ["d2xd2"]),
    ],
)
def test_captures_with_equal_ends_are_written_with_their_path(variant: str, expected: list[str]) -> None:
    assert moves(variant, TWO_WAYS_ROUND) == expected


ITALIAN = {
    "most pieces": (
        """
        . _ . _ . _ . _
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ . _ b _ . _ .
        . _ . _ . _ . _
        _ b _ . _ b _ .
        w _ . _ W _ . _
        _ . _ . _ . _ .
        """,
        ["25x11"],
    ),
    "then with a king": (
        """
        . _ . _ . _ . _
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ b _ . _ b _ .
        w _ . _ W _ . _
        _ . _ . _ . _ .
        """,
        ["27x20"],
    ),
    "then most kings": (
        """
        . _ . _ . _ . _
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ . _ B _ b _ .
        . _ . _ W _ . _
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ . _ . _ . _ .
        """,
        ["19x10"],
    ),
    "then a king first": (
        """
        . _ . _ . _ . _
        _ B _ . _ b _ .
        . _ . _ . _ . _
        _ . _ b _ B _ .
        . _ . _ W _ . _
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ . _ . _ . _ .
        """,
        ["19x3"],
    ),
    "no man takes a king": (
        """
        . _ . _ . _ . _
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ B _ . _ . _ .
        w _ . _ . _ . _
        _ . _ . _ . _ .
        """,
        [],
    ),
}


@pytest.mark.parametrize("priority", ITALIAN)
def test_italian_capture_priorities(priority: str) -> None:
    diagram, expected = ITALIAN[priority]
    assert moves("italian", diagram) == expected


def test_classic_capture_takes_most_pieces_then_most_kings() -> None:
    diagram = """
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ . _ . _ . _ .
        . _ b _ B _ . _
        _ . _ w _ . _ .
        . _ . _ . _ . _
        _ . _ . _ . _ .
        . _ . _ . _ . _
    """
    assert moves("classic", diagram) == ["18x11"]
    assert moves("brazilian", diagram) == ["d4xb6", "d4xf6"]


TURNING_BACK = """
    . . . . . . . .
    . . . . . . . .
    . . . b . . . .
    . . . . . . . .
    . . . W . . . .
    . . . . . . . .
    . . . b . . . .
    . . . . . . . .
"""


def test_turkish_kings_do_not_reverse_during_a_capture() -> None:
    assert moves("turkish", TURNING_BACK) == ["d4xd1", "d4xd7", "d4xd8"]


OVER_WHERE_ONE_STOOD = """
    . . . . . . . .
    . . . . b . . .
    . . . . . b . .
    . . . . . . . .
    . W . b . . . .
    . . . . . . . .
    . . . b . . . .
    . . . . . . . .
"""


def test_turkish_captured_pieces_are_removed_at_once() -> None:
    rules = PLAIN["turkish"]
    position = drawn(rules, OVER_WHERE_ONE_STOOD)
    assert moves("turkish", OVER_WHERE_ONE_STOOD) == ["b4xd1"]
    assert [(way.path, way.taken) for way in rules.leaps(position, "b4xd1")] == [
        (("f4", "f7", "d7", "d1"), ("d4", "f6", "e7", "d2")),
    ]


def test_turkish_men_move_and_capture_forward_and_sideways() -> None:
    diagram = """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . w . . . .
        . . . . . . . .
        . . . . . . . .
        b . . . . . . .
    """
    assert moves("turkish", diagram) == ["d4-c4", "d4-d5", "d4-e4"]
    taking = """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . b . . . .
        . . b w b . . .
        . . . b . . . .
        . . . . . . . .
        . . . . . . . .
    """
    assert moves("turkish", taking) == ["d4xb4", "d4xd6", "d4xf4"]


def test_short_kings_move_one_square_and_flying_kings_any_number() -> None:
    diagram = """
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ . _ W _ . _ .
        . _ . _ . _ . _
        _ . _ . _ b _ .
        . _ . _ . _ b _
    """
    assert moves("english", diagram) == ["18-14", "18-15", "18-22", "18-23"]
    assert moves("brazilian", diagram) == [
        "d4-a1",
        "d4-a7",
        "d4-b2",
        "d4-b6",
        "d4-c3",
        "d4-c5",
        "d4-e3",
        "d4-e5",
        "d4-f6",
        "d4-g7",
        "d4-h8",
    ]


def test_flying_kings_land_anywhere_behind_a_capture() -> None:
    diagram = """
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ . _ . _ . _ .
        . _ . _ b _ . _
        _ . _ . _ . _ .
        . _ . _ . _ . _
        _ . _ . _ . _ .
        W _ . _ . _ . _
    """
    assert moves("brazilian", diagram) == ["a1xf6", "a1xg7", "a1xh8"]
    assert moves("english", diagram) == ["29-25"]
