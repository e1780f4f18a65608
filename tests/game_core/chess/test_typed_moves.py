"""Typed moves: the table ``tests/data/moves.json``, shared with the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import chess
import pytest

from game_core.chess.notation.announcements import format_announcement
from game_core.chess.notation.iccf import format_iccf
from game_core.chess.notation.letters import format_local
from game_core.chess.notation.long_algebraic import format_long
from game_core.chess.notation.move_text import MoveText
from game_core.chess.variants import BY_NAME
from game_core.errors import AmbiguousMove, IllegalMove, InvalidMove
from game_core.registry import rules_for
from tests.game_core.chess.library import parse_move

TABLE = json.loads((Path(__file__).parents[2] / "data" / "moves.json").read_text(encoding="utf-8"))
POSITIONS: dict[str, dict[str, Any]] = TABLE["positions"]
TYPED: list[dict[str, Any]] = TABLE["typed"]
WRITTEN: list[dict[str, Any]] = TABLE["written"]


def board_of(name: str) -> chess.Board:
    position = POSITIONS[name]
    return BY_NAME[position["variant"]].board(position["fen"])


def named(case: dict[str, Any]) -> str:
    return f"{case['position']}: {case.get('text', case.get('move'))!r:.40} {case.get('language', '')}"


@pytest.mark.parametrize("name", POSITIONS)
def test_legal_moves_equal_the_shared_table(name: str) -> None:
    position = POSITIONS[name]
    rules = rules_for("chess", position["variant"])
    assert list(rules.legal_moves(rules.start(position["fen"]))) == position["legal"]


@pytest.mark.parametrize("case", TYPED, ids=named)
def test_typed_moves_of_the_table_are_read(case: dict[str, Any]) -> None:
    board, text, language, means = board_of(case["position"]), case["text"], case.get("language", "en"), case["means"]
    refusals: dict[str, type[IllegalMove]] = {"illegal": IllegalMove, "invalid": InvalidMove}
    if isinstance(means, list):
        with pytest.raises(AmbiguousMove) as unclear:
            parse_move(board, text, language, any_case=True)
        assert str(unclear.value).endswith(f" could be {' or '.join(means)}")
    elif means in refusals:
        with pytest.raises(IllegalMove) as refused:
            parse_move(board, text, language, any_case=True)
        assert type(refused.value) is refusals[means]
    else:
        read = parse_move(board, text, language, any_case=True)
        assert read == MoveText(means, offers_draw=case.get("draw", False))


@pytest.mark.parametrize("text", ["nf3", "NF3", "E2-E4", "ee4", "G1F3"])
def test_parser_is_case_sensitive_by_default(text: str) -> None:
    with pytest.raises(IllegalMove):
        parse_move(chess.Board(), text)


@pytest.mark.parametrize("case", WRITTEN, ids=named)
def test_every_notation_of_the_table_is_written(case: dict[str, Any]) -> None:
    move, san = case["move"], case["san"]
    assert {language: format_local(san, language) for language in case["short"]} == case["short"]
    assert {language: format_long(move, san, language) for language in case["long"]} == case["long"]
    assert format_iccf(move) == case["iccf"]
    assert {language: format_announcement(move, san, language) for language in case["announced"]} == case["announced"]
