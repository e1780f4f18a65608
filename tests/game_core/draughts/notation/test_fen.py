"""Positions of draughts as text."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.draughts.notation.fen import format_fen, parse_fen
from game_core.errors import BadPosition
from tests.game_core.draughts.boards import ALL, PLAIN, standings

if TYPE_CHECKING:
    from game_core.draughts.men import Men


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("international", "W:W31-50:B1-20"),
        ("classic", "B:W21-32:B1-12"),
        ("english", "B:W21-32:B1-12"),
        ("italian", "W:W21-32:B1-12"),
        ("russian", "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6"),
        ("brazilian", "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6"),
        (
            "turkish",
            "W:Wa3,b3,c3,d3,e3,f3,g3,h3,a2,b2,c2,d2,e2,f2,g2,h2:Ba7,b7,c7,d7,e7,f7,g7,h7,a6,b6,c6,d6,e6,f6,g6,h6",
        ),
    ],
)
def test_fen_of_the_start_positions(variant: str, fen: str) -> None:
    for rules in (ALL[variant], ALL[f"losing-{variant}"]):
        assert rules.fen(rules.start(None)) == fen
        assert rules.start(fen) == rules.start(None)
        assert rules.turn(rules.start(None)) == fen[0].lower()


@pytest.mark.parametrize(
    ("variant", "written", "normal"),
    [
        ("international", "W:W31-50:B1-20.", "W:W31-50:B1-20"),
        ("international", "w:b1-20:w31-50", "W:W31-50:B1-20"),
        ("international", " W : W 31-50 : B 20,1-19 \n", "W:W31-50:B1-20"),
        ("international", "B:WK3,27,28:B9,K50,8", "B:W27,28,K3:B8,9,K50"),
        ("international", "B:W27,28,29:BK11-13,7-7", "B:W27-29:B7,K11,K12,K13"),
        ("international", "W:W,27,:B7", "W:W27:B7"),
        ("russian", "B:WC3,kD4:Bh8", "B:Wc3,Kd4:Bh8"),
        ("turkish", "W:Wh1,a1,b1,c1:BKh8", "W:Wa1,b1,c1,h1:BKh8"),
    ],
)
def test_other_fen_spellings_are_read(variant: str, written: str, normal: str) -> None:
    rules = PLAIN[variant]
    position = rules.start(written)
    assert rules.fen(position) == normal
    assert rules.start(normal) == position


@pytest.mark.parametrize(
    ("variant", "fen", "message"),
    [
        ("international", "", "not a position"),
        ("international", "W:W31-50", "not a position"),
        ("international", "W:W31-50:W1-20", "not a position"),
        ("international", "X:W31-50:B1-20", "not a position"),
        ("international", "W:W31-50:B1-20:H0:F1", "not a position"),
        ("international", "W:W31-50:B1-20" + "." * 2, "not a position|not a square"),
        ("international", "W:W" + "1," * 2000 + ":B1", "not a position"),
        ("international", "W:W51:B1", "'51' is not a square"),
        ("international", "W:W0:B1", "'0' is not a square"),
        ("international", "W:W31-51:B1", "'31-51' is not a square"),
        ("international", "W:W50-31:B1", "'50-31' is not a square"),
        ("international", "W:W31--50:B1", "not a square"),
        ("international", "W:WKK31:B1", "not a square"),
        ("international", "W:W\u0663\u0661:B1", "not a square"),
        ("international", "W:Wc3:B1", "'c3' is not a square"),
        ("russian", "W:Wc3-e3:Bh8", "'c3-e3' is not a square"),
        ("russian", "W:Wb1:Bh8", "'b1' is not a square"),
        ("international", "W:W31,31:B1", "there are two pieces on 31"),
        ("international", "W:W31-35,K33:B1", "there are two pieces on 33"),
        ("international", "W:W31-35:BK33", "both sides have a piece on 33"),
        ("international", "W:W:B1", "White has no pieces"),
        ("international", "W:W31:B", "Black has no pieces"),
        ("international", "W:W30-50:B1", "White has 21 pieces, more than the 20"),
        ("international", "W:W5,6:B1", "White's man on 5 must be a king"),
        ("international", "W:W6:B46-48", "Black's man on 46, 47, 48 must be a king"),
        ("international", "W:W31:B26,27,21,22", "is over .* no_moves"),
    ],
)
def test_invalid_fen_is_refused(variant: str, fen: str, message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        PLAIN[variant].start(fen)


@given(st.sampled_from(list(PLAIN)).flatmap(lambda variant: st.tuples(st.just(variant), standings(PLAIN[variant]))))
def test_fen_round_trips(case: tuple[str, Men]) -> None:
    variant, men = case
    board = PLAIN[variant].board
    text = format_fen(board, men)
    assert parse_fen(board, text) == men
    assert format_fen(board, parse_fen(board, text.lower() + ".")) == text


@given(st.sampled_from(list(PLAIN)), st.text("WBKwbk:,-.0123456789abcdefgh ", max_size=40))
def test_any_text_is_a_position_or_a_bad_position(variant: str, text: str) -> None:
    with suppress(BadPosition):
        PLAIN[variant].start(text)
