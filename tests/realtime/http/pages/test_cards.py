"""Link previews of our pages."""

from __future__ import annotations

from typing import Any

import pytest

from realtime.http.pages.cards import challenge_card, game_card
from tests.realtime.http.pages.test_pages import snapshot


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "Casual 3+2 blitz. White to move."),
        ({"tc": {"base_s": 300, "delay_s": 3}}, "Casual 5 d3 blitz. White to move."),
        ({"tc": {"days": 3}, "speed": "correspondence"}, "Casual 3 days per move correspondence. White to move."),
        ({"moves": ["e2e4", "e7e5", "g1f3"], "turn": "b"}, "Casual 3+2 blitz. Black to move, 2 moves."),
        ({"rated": True, "variant": "chess960"}, "Rated 3+2 blitz, Chess960. White to move."),
        (
            {"game": "draughts", "variant": "losing-english"},
            "Casual 3+2 blitz, losing English draughts. White to move.",
        ),
        ({"game": "chinese-checkers", "variant": "ten"}, "Casual 3+2 blitz, ten Chinese checkers. White to move."),
        ({"tcs": {"w": {"base_s": 60}, "b": {"base_s": 300}}}, "Casual 1+0 vs 5+0 blitz. White to move."),
        ({"status": "over", "result": "0-1", "reason": "checkmate"}, "Casual 3+2 blitz. 0-1 (checkmate)."),
        ({"status": "over", "result": "1-0", "reason": "no_moves"}, "Casual 3+2 blitz. 1-0 (no legal moves)."),
        ({"status": "over", "result": "1-0", "reason": "something new"}, "Casual 3+2 blitz. 1-0."),
        ({"status": "over", "result": "*", "reason": "aborted"}, "Casual 3+2 blitz. Aborted."),
    ],
)
def test_game_card_describes_the_standing(fields: dict[str, Any], text: str) -> None:
    assert game_card(snapshot(**fields), "").description == text


@pytest.mark.parametrize(
    ("opponent_tc", "controls"), [(None, "1+0"), ({"base_s": 300}, "1+0 vs 5+0")], ids=["even", "handicap"]
)
def test_challenge_card_shows_both_time_controls(opponent_tc: dict[str, Any] | None, controls: str) -> None:
    terms = {"tc": {"base_s": 60}, "opponent_tc": opponent_tc, "rated": False}
    challenge: Any = {"from": {"name": "Anna"}, "status": "open", "game": "chess", "variant": "standard", **terms}
    card = challenge_card(challenge, "")
    assert card.title == f"Anna · {controls} · Zeitnot"
    assert card.description == f"Anna invites you: {controls}, casual."
