"""Bitboards of squares."""

from __future__ import annotations

import pytest

from tests.game_core.draughts.boards import PLAIN


@pytest.mark.parametrize("variant", PLAIN)
def test_each_direction_is_the_same_shift_everywhere(variant: str) -> None:
    field = PLAIN[variant].board.field
    for bit in field.bits:
        for shift, ray in field.rays[bit]:
            step = field.step(bit, shift)
            assert step & ray == step
            assert bool(step) == bool(ray)
            for end in (other for other in field.bits if ray & other):
                assert field.between(bit, end) == field.between(end, bit)
                assert not field.between(bit, end) & (bit | end)


@pytest.mark.parametrize(
    ("variant", "first", "last", "neighbours"),
    [
        ("international", "1", "50", {"28": {"22", "23", "32", "33"}, "1": {"6", "7"}, "46": {"41"}}),
        ("english", "1", "32", {"18": {"14", "15", "22", "23"}, "4": {"8"}, "29": {"25"}}),
        ("italian", "1", "32", {"18": {"13", "14", "21", "22"}, "1": {"5"}, "32": {"28"}}),
        ("russian", "b8", "g1", {"a1": {"b2"}, "d4": {"c3", "c5", "e3", "e5"}}),
        ("turkish", "a8", "h1", {"a1": {"b1", "a2"}, "d4": {"d3", "d5", "c4", "e4"}}),
    ],
)
def test_squares_have_the_names_of_the_federations(
    variant: str, first: str, last: str, neighbours: dict[str, set[str]]
) -> None:
    field = PLAIN[variant].board.field
    assert (field.names[field.bits[0]], field.names[field.bits[-1]]) == (first, last)
    for name, around in neighbours.items():
        bit = field.named[name]
        assert {field.names[end] for shift in field.shifts if (end := field.step(bit, shift))} == around


def test_between_refuses_squares_not_on_a_line() -> None:
    field = PLAIN["international"].board.field
    with pytest.raises(AssertionError, match="1 and 2 are on no line"):
        field.between(field.named["1"], field.named["2"])
